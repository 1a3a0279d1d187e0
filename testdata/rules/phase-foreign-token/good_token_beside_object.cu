#include <cuda_awbarrier_primitives.h>

template <int Threads>
__global__ void pairs(const int *__restrict__ in, int *__restrict__ out, int tiles)
{
    __shared__ int tile[2][Threads];
    __shared__ __mbarrier_t loaded[2];
    const int tid = threadIdx.x;
    if (tid < 2)
        __mbarrier_init(&loaded[tid], Threads);
    __syncthreads();
    __mbarrier_token_t token[2];
    tile[0][tid] = in[tid];
    token[0] = __mbarrier_arrive(&loaded[0]);
    for (int t = 0; t < tiles; ++t) {
        const int use = t % 2, fill = (t + 1) % 2;
        tile[fill][tid] = in[(t + 1) * Threads + tid];
        token[fill] = __mbarrier_arrive(&loaded[fill]);
        while (!__mbarrier_test_wait(&loaded[use], token[use])) {
        }
        out[t * Threads + tid] = tile[use][tid ^ 1];
        __syncthreads();
    }
}

void run(const int *in, int *out, int tiles)
{
    pairs<96><<<1, 96>>>(in, out, tiles);
}
