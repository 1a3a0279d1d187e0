// Stage and parity both come from the number of the tile.
#include <cuda/barrier>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

template <int Stages>
__global__ void accumulate(const int *__restrict__ in, int *__restrict__ out, int tiles)
{
    __shared__ block_barrier loaded[Stages];
    __shared__ int tile[Stages][64];
    if (threadIdx.x < Stages)
        init(&loaded[threadIdx.x], 64);
    __syncthreads();
    int sum = 0;
    for (int t = 0; t < tiles; ++t) {
        const int s = t % Stages;
        tile[s][threadIdx.x] = in[t * 64 + threadIdx.x];
        (void)loaded[s].arrive();
        loaded[s].wait_parity((t / Stages) & 1);
        sum += tile[s][63 - threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

void run(const int *in, int *out, int tiles)
{
    accumulate<2><<<1, 64>>>(in, out, tiles);
    accumulate<3><<<1, 64>>>(in, out, tiles);
}
