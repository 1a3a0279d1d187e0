// Every thread arrives once for each half of its work, and the count says so.
#include <cuda/barrier>
#include <utility>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__device__ void store_half(block_barrier *done, float *cell, float value)
{
    *cell = value;
    (void)done->arrive();
}

__global__ void halves(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ block_barrier done;
    __shared__ float line[256];
    if (threadIdx.x == 0)
        init(&done, 3 * blockDim.x);
    __syncthreads();
    store_half(&done, &line[threadIdx.x], in[threadIdx.x]);
    store_half(&done, &line[threadIdx.x + 128], in[threadIdx.x + 128]);
    done.arrive_and_wait();
    out[threadIdx.x] = line[255 - threadIdx.x];
}

void run(const float *in, float *out)
{
    halves<<<1, 128>>>(in, out);
}
