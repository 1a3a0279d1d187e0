// Who has dropped out may still watch by parity until the others are through.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__device__ void drop(uint64_t *word)
{
    asm volatile("mbarrier.arrive_drop.shared::cta.b64 _, [%0];" ::"r"(
                     static_cast<uint32_t>(__cvta_generic_to_shared(word)))
                 : "memory");
}

__global__ void watch(float *data)
{
    __shared__ uint64_t stored;
    __shared__ float line[64];
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&stored, 64);
    __syncthreads();
    line[threadIdx.x] = data[threadIdx.x];
    if (threadIdx.x < 32)
        drop(&stored);
    else
        ptx::mbarrier_arrive(&stored);
    while (!ptx::mbarrier_try_wait_parity(&stored, 0)) {
    }
    data[threadIdx.x] = line[63 - threadIdx.x];
}

void run(float *data)
{
    watch<<<1, 64>>>(data);
}
