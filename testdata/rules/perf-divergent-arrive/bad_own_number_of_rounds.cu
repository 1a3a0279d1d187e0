// pedantic: how the lanes come together is the compiler's choice
#include <cstdint>
#include <cuda/ptx>

// Each lane follows a list of its own.
__global__ void lengths(const int *first, const int *next, int *out)
{
    __shared__ uint64_t counted;
    __shared__ int length[64];
    if (threadIdx.x == 0)
        cuda::ptx::mbarrier_init(&counted, 64);
    __syncthreads();
    int count = 0;
    int at = first[blockIdx.x * 64 + threadIdx.x];
    while (at >= 0) {
        at = next[at];
        ++count;
    }
    length[threadIdx.x] = count;
    cuda::ptx::mbarrier_arrive(&counted); // expect: perf-divergent-arrive
    while (!cuda::ptx::mbarrier_try_wait_parity(&counted, 0)) {
    }
    out[blockIdx.x * 64 + threadIdx.x] = length[threadIdx.x] + length[63 - threadIdx.x];
}

void launch(const int *first, const int *next, int *out)
{
    lengths<<<16, 64>>>(first, next, out);
}
