// A barrier of the whole device lies in global memory and is counted by software.
#include <cuda/barrier>
#include <new>

__device__ cuda::barrier<cuda::thread_scope_device> everyone;

__global__ void prepare(int blocks, int threads)
{
    if (threadIdx.x == 0)
        init(&everyone, 2097152);
}

void run()
{
    prepare<<<1, 32>>>(2048, 1024);
}
