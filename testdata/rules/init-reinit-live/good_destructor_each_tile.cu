// A barrier that lives for one tile: constructed in place and destroyed again, with block barriers
// on both sides.
#include <cuda/barrier>
#include <new>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

template <int Threads>
__global__ void reversed(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ alignas(block_barrier) unsigned char place[sizeof(block_barrier)];
    __shared__ float tile[Threads];
    block_barrier *filled = reinterpret_cast<block_barrier *>(place);
    for (int t = 0; t < tiles; ++t) {
        if (threadIdx.x == 0)
            new (place) block_barrier(Threads);
        __syncthreads();
        tile[threadIdx.x] = in[t * Threads + threadIdx.x];
        filled->arrive_and_wait();
        out[t * Threads + threadIdx.x] = tile[Threads - 1 - threadIdx.x];
        __syncthreads();
        if (threadIdx.x == 0)
            filled->~block_barrier();
        __syncthreads();
    }
}

void run(const float *in, float *out, int tiles)
{
    reversed<64><<<1, 64>>>(in, out, tiles);
}
