// The author took the declaration for a constructor call: for a shared variable none is made.
#include <cuda/barrier>
#include <utility>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void reverse_tiles(const int *__restrict__ in, int *__restrict__ out, int tiles)
{
    __shared__ int tile[256];
    __shared__ block_barrier ready;
    for (int t = 0; t < tiles; ++t) {
        tile[threadIdx.x] = in[t * 256 + threadIdx.x];
        block_barrier::arrival_token token = ready.arrive(); // expect: init-missing
        ready.wait(std::move(token));
        out[t * 256 + threadIdx.x] = tile[255 - threadIdx.x];
        __syncthreads();
    }
}

void run(const int *in, int *out, int tiles)
{
    reverse_tiles<<<1, 256>>>(in, out, tiles);
}
