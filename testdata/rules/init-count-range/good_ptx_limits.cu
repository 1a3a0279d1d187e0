// One arrival, and as many as the hardware holds.
#include <cstdint>
#include <cuda/ptx>
#include <cuda_runtime.h>

__device__ inline void init_barrier(uint64_t *barrier, uint32_t arrivals)
{
    uint32_t address = static_cast<uint32_t>(__cvta_generic_to_shared(barrier));
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address), "r"(arrivals));
}

__global__ void limits(float *data)
{
    __shared__ uint64_t one, many;
    if (threadIdx.x == 0) {
        cuda::ptx::mbarrier_init(&one, 1);
        init_barrier(&many, blockDim.x * 1024 - 1);
    }
    __syncthreads();
    data[threadIdx.x] += 1.0f;
}

void run(float *data)
{
    limits<<<1, 1024>>>(data);
}
