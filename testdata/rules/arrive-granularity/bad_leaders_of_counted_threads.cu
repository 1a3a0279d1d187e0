// The count is in threads, but one lane arrives for each warp.
#include <cuda/barrier>
#include <utility>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

template <int Threads>
__global__ void totals(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ block_barrier stored;
    __shared__ int part[Threads / 32];
    if (threadIdx.x == 0)
        init(&stored, Threads);
    __syncthreads();
    const int sum = __reduce_add_sync(0xffffffffu, in[blockIdx.x * Threads + threadIdx.x]);
    if (threadIdx.x % 32 == 0) {
        part[threadIdx.x / 32] = sum;
        auto token = stored.arrive(); // expect: arrive-granularity
        if (threadIdx.x == 0) {
            stored.wait(std::move(token));
            int all = 0;
            for (int w = 0; w < Threads / 32; ++w)
                all += part[w];
            out[blockIdx.x] = all;
        }
    }
}

void run(const int *in, int *out, int blocks)
{
    totals<256><<<blocks, 256>>>(in, out);
}
