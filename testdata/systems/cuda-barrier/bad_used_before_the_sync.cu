// The other threads have to be kept from the barrier until it is initialised.
#include <cuda/barrier>

__global__ void reverse(float *data)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> stored;
    __shared__ float line[128];
    if (threadIdx.x == 96)
        init(&stored, blockDim.x); // expect: init-no-sync
    line[threadIdx.x] = data[threadIdx.x];
    stored.arrive_and_wait();
    data[threadIdx.x] = line[127 - threadIdx.x];
}

void launch(float *data)
{
    reverse<<<1, 128>>>(data);
}
