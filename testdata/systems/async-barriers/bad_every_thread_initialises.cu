// One thread initialises.
#include <cuda/barrier>

__global__ void mirror(float *data)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> stored;
    __shared__ float line[128];
    init(&stored, blockDim.x); // expect: init-by-many
    __syncthreads();
    line[threadIdx.x] = data[threadIdx.x];
    stored.arrive_and_wait();
    data[threadIdx.x] = line[127 - threadIdx.x];
}

void launch(float *data)
{
    mirror<<<1, 128>>>(data);
}
