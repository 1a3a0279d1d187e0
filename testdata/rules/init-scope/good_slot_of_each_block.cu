// A barrier in global memory of block scope, one for each block of a grid whose size is known.
#include <cuda/barrier>

using ready_t = cuda::barrier<cuda::thread_scope_block>;

__global__ void make(ready_t *slot)
{
    if (threadIdx.x == 0)
        init(&slot[blockIdx.x], 64);
}

__global__ void halves(ready_t *slot, float *data, int step)
{
    data[blockIdx.x * 64 + threadIdx.x] *= 0.5f;
    slot[blockIdx.x].arrive_and_wait();
    data[blockIdx.x * 64 + threadIdx.x] += data[blockIdx.x * 64 + (threadIdx.x + step) % 64];
}

void launch(ready_t *slot, float *data)
{
    make<<<8, 32>>>(slot);
    halves<<<8, 64>>>(slot, data, 3);
}
