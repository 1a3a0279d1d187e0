// The destructor is no operation that may run beside others.
#include <cuda/barrier>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void reverse(float *data)
{
    __shared__ block_barrier stored;
    __shared__ float line[128];
    if (threadIdx.x == 0)
        init(&stored, blockDim.x);
    __syncthreads();
    line[threadIdx.x] = data[threadIdx.x];
    stored.arrive_and_wait();
    data[threadIdx.x] = line[127 - threadIdx.x];
    if (threadIdx.x == 0)
        stored.~block_barrier(); // expect: init-use-after-inval
}

void launch(float *data)
{
    reverse<<<1, 128>>>(data);
}
