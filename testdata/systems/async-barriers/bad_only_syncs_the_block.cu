// pedantic: to synchronise the block and nothing else, __syncthreads() is the better means
#include <cuda/barrier>

__global__ void mirror(float *data)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> stored;
    __shared__ float line[128];
    if (threadIdx.x == 0)
        init(&stored, blockDim.x);
    __syncthreads();
    line[threadIdx.x] = data[threadIdx.x];
    stored.arrive_and_wait(); // expect: perf-mbarrier-as-syncthreads
    data[threadIdx.x] = line[127 - threadIdx.x];
}

void launch(float *data)
{
    mirror<<<1, 128>>>(data);
}
