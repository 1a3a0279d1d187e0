// kind: use after invalidation
#include "../ptx.cuh"

__global__ void tried(float *cell)
{
    __shared__ uint64_t full;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&full, 128);
    __syncthreads();

    ptx::mbarrier_arrive(&full);
    wait_for(&full, 0);
    __syncthreads();
    if (threadIdx.x == 0)
        asm volatile("mbarrier.inval.shared.b64 [%0];"
                     ::"r"((unsigned)__cvta_generic_to_shared(&full)) : "memory");
    __syncthreads();
    ptx::mbarrier_arrive(&full); // expect: init-use-after-inval
    cell[threadIdx.x] += 1;
}

void launch(float *cell)
{
    tried<<<1, 128>>>(cell);
}
