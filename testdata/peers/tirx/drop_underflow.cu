// kind: more drops than the count
#include "../ptx.cuh"

__global__ void tried(float *cell)
{
    __shared__ uint64_t full;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&full, 2);
    __syncthreads();

    if (threadIdx.x < 2)
        asm volatile("mbarrier.arrive_drop.shared.b64 _, [%0];" // expect: exit-drop-to-zero
                     ::"r"((unsigned)__cvta_generic_to_shared(&full)) : "memory");
    cell[threadIdx.x] += 1;
}

void launch(float *cell)
{
    tried<<<1, 128>>>(cell);
}
