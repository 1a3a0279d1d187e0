// expect: init-use-after-inval
// The first step of the kernel ends its barrier's life, the second goes on using it.
#include <cstdint>
#include <cstdio>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__device__ void meet(uint64_t *barrier)
{
    const uint64_t token = ptx::mbarrier_arrive(barrier); // reported here
    while (!ptx::mbarrier_try_wait(barrier, token)) { // reported here
    }
}

__global__ void two_steps(const float *in, float *out)
{
    __shared__ uint64_t barrier;
    __shared__ float tile[128];
    const int i = threadIdx.x;
    if (i == 0)
        ptx::mbarrier_init(&barrier, blockDim.x);
    __syncthreads();
    tile[i] = in[i];
    meet(&barrier);
    const float neighbour = tile[127 - i];
    __syncthreads();
    if (i == 0) {
        asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(
                         static_cast<uint32_t>(__cvta_generic_to_shared(&barrier)))
                     : "memory");
#ifdef CORRECT
        ptx::mbarrier_init(&barrier, blockDim.x);
#endif
    }
    __syncthreads();
    tile[i] = neighbour + 1;
    meet(&barrier);
    out[i] = tile[(i + 1) % 128];
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
    two_steps<<<1, kThreads>>>(in, out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < kThreads; ++i)
        sum += host[i];
    printf("sum %g, %s\n", sum, cudaGetErrorName(error));
    return error != cudaSuccess;
}
