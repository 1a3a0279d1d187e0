// A barrier that one thread has for its own copies; and one of the block, made by one thread.
#include <cuda/barrier>

__global__ void own_copies(const int *in, int *out)
{
    cuda::barrier<cuda::thread_scope_thread> mine(1);
    __shared__ int line[64];
    cuda::memcpy_async(&line[threadIdx.x], &in[threadIdx.x], sizeof(int), mine);
    mine.arrive_and_wait();
    out[threadIdx.x] = line[threadIdx.x] + 1;
}

__global__ void reverse(const int *in, int *out)
{
    __shared__ int line[64];
    __shared__ cuda::barrier<cuda::thread_scope_block> ready;
    if (threadIdx.x == 0)
        init(&ready, blockDim.x);
    __syncthreads();
    line[threadIdx.x] = in[threadIdx.x];
    ready.arrive_and_wait();
    out[threadIdx.x] = line[63 - threadIdx.x];
}

void launch(const int *in, int *out)
{
    own_copies<<<1, 64>>>(in, out);
    reverse<<<1, 64>>>(in, out);
}
