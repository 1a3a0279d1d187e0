// expect: init-no-sync|init-missing
// A thread of the third warp initialises the barrier, and the others do not wait for that.
#include <cstdio>
#include <cuda_awbarrier_primitives.h>

__global__ void reversed(const float *in, float *out)
{
    __shared__ __mbarrier_t loaded;
    __shared__ float tile[128];
    const int i = threadIdx.x;
    if (i == 64) {
        __nanosleep(2000); // it has other things to prepare
        __mbarrier_init(&loaded, blockDim.x);
    }
#ifdef CORRECT
    __syncthreads();
#endif
    tile[i] = in[i];
    __mbarrier_token_t token = __mbarrier_arrive(&loaded); // reported here
    while (!__mbarrier_test_wait(&loaded, token)) { // reported here
    }
    out[i] = tile[127 - i];
}

int main()
{
    constexpr int kThreads = 128;
    float host[kThreads], sum = 0, *in, *out;
    for (int i = 0; i < kThreads; ++i)
        host[i] = i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof host);
    reversed<<<1, kThreads>>>(in, out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < kThreads; ++i)
        sum += host[i];
    printf("sum %g, %s\n", sum, cudaGetErrorName(error));
    return error != cudaSuccess;
}
