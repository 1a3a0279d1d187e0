// cuda::barrier works in global memory too, by software.
#include <cuda/barrier>

__device__ cuda::barrier<cuda::thread_scope_device> everyone;

__global__ void prepare(unsigned threads)
{
    if (threadIdx.x == 0)
        init(&everyone, threads);
}

__global__ void meet(float *data)
{
    data[blockIdx.x * blockDim.x + threadIdx.x] += 1.0f;
    everyone.arrive_and_wait();
}

void run(float *data)
{
    prepare<<<1, 32>>>(256);
    meet<<<2, 128>>>(data);
}
