// A shared object is not constructed by its declaration.
#include <cuda/barrier>

__global__ void reverse(float *data)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> stored;
    __shared__ float line[128];
    line[threadIdx.x] = data[threadIdx.x];
    stored.arrive_and_wait(); // expect: init-missing
    data[threadIdx.x] = line[127 - threadIdx.x];
}

void launch(float *data)
{
    reverse<<<1, 128>>>(data);
}
