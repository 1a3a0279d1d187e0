// expect: tx-bytes
// The barrier is told of twice the bytes that the copy brings.
#include <cstdint>
#include <cstdio>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void copied(const float *in, float *out)
{
    __shared__ alignas(16) float tile[128];
    __shared__ uint64_t loaded;
    const int i = threadIdx.x;
    if (i == 0) {
        ptx::mbarrier_init(&loaded, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    if (i == 0) {
#ifdef CORRECT
        const uint32_t bytes = sizeof tile;
#else
        const uint32_t bytes = 2 * sizeof tile;
#endif
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                       &loaded, bytes); // reported here
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, sizeof tile, &loaded);
    }
    while (!ptx::mbarrier_try_wait_parity(&loaded, 0)) { // reported here
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
    copied<<<1, kThreads>>>(in, out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < kThreads; ++i)
        sum += host[i];
    printf("sum %g, %s\n", sum, cudaGetErrorName(error));
    return error != cudaSuccess;
}
