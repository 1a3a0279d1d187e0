// The tiles are handed over by one barrier; a second one, meant for a watcher that was taken out,
// still gets an arrival for every tile.
#include <cuda_awbarrier_primitives.h>

template <int Threads>
__global__ void reverse(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ __mbarrier_t stored, progress;
    __shared__ float tile[Threads];
    const int tid = threadIdx.x;
    if (tid == 0) {
        __mbarrier_init(&stored, Threads);
        __mbarrier_init(&progress, Threads);
    }
    __syncthreads();
    for (int t = 0; t < tiles; ++t) {
        tile[tid] = in[t * Threads + tid];
        const __mbarrier_token_t token = __mbarrier_arrive(&stored);
        while (!__mbarrier_test_wait(&stored, token)) {
        }
        out[t * Threads + tid] = tile[Threads - 1 - tid];
        (void)__mbarrier_arrive(&progress); // expect: phase-unobserved
        __syncthreads();
    }
}

void run(const float *in, float *out)
{
    reverse<64><<<1, 64>>>(in, out, 6);
}
