// Gives up after a hundred turns and goes on as if the phase were over.
#include <cuda_awbarrier_primitives.h>

template <int Threads>
__global__ void rows(const int *__restrict__ in, int *__restrict__ out, int tiles)
{
    __shared__ __mbarrier_t stored;
    __shared__ int line[Threads];
    const int tid = threadIdx.x;
    if (tid == 0)
        __mbarrier_init(&stored, Threads);
    __syncthreads();
    for (int t = 0; t < tiles; ++t) {
        line[tid] = in[t * Threads + tid];
        const __mbarrier_token_t token = __mbarrier_arrive(&stored);
        for (int turn = 0; turn < 100; ++turn) {
            if (__mbarrier_test_wait(&stored, token)) // expect: phase-trywait-ignored
                break;
        }
        out[t * Threads + tid] = line[Threads - 1 - tid];
        __syncthreads();
    }
}

void run(const int *in, int *out)
{
    rows<64><<<1, 64>>>(in, out, 4);
}
