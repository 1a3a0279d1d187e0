// kind: invalidation with work outstanding
#include "../ptx.cuh"

__global__ void tried(float *cell)
{
    __shared__ uint64_t full;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&full, 128);
    __syncthreads();

    ptx::mbarrier_arrive(&full);
    if (threadIdx.x == 0)
        asm volatile("mbarrier.inval.shared.b64 [%0];" // expect: init-use-after-inval
                     ::"r"((unsigned)__cvta_generic_to_shared(&full)) : "memory");
    wait_for(&full, 0);
    cell[threadIdx.x] += 1;
}

void launch(float *cell)
{
    tried<<<1, 128>>>(cell);
}
