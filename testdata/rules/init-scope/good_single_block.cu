// One object in global memory and a grid of one block.
#include <cuda/barrier>
#include <utility>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__device__ alignas(block_barrier) unsigned char place[sizeof(block_barrier)];

__global__ void reverse(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ int line[64];
    block_barrier &stored = *reinterpret_cast<block_barrier *>(place);
    if (threadIdx.x == 0)
        init(&stored, 64);
    __syncthreads();
    line[threadIdx.x] = in[threadIdx.x];
    auto token = stored.arrive();
    stored.wait(std::move(token));
    out[threadIdx.x] = line[63 - threadIdx.x];
}

void run(const int *in, int *out)
{
    reverse<<<1, 64>>>(in, out);
}
