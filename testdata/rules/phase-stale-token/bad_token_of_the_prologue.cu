// The token is taken once, before the loop, and serves every iteration.
#include <cuda_awbarrier_primitives.h>

template <int Threads>
__global__ void stencil(const float *__restrict__ in, float *__restrict__ out, int steps)
{
    __shared__ __mbarrier_t updated;
    __shared__ float line[2][Threads];
    const int tid = threadIdx.x;
    if (tid == 0)
        __mbarrier_init(&updated, Threads);
    __syncthreads();
    line[0][tid] = in[tid];
    const __mbarrier_token_t token = __mbarrier_arrive(&updated);
    for (int s = 0; s < steps; ++s) {
        while (!__mbarrier_test_wait(&updated, token)) { // expect: phase-stale-token
        }
        line[(s + 1) & 1][tid] =
            0.5f * (line[s & 1][tid] + line[s & 1][(tid + 1) % Threads]);
        (void)__mbarrier_arrive(&updated);
    }
    out[tid] = line[steps & 1][tid];
}

void run(const float *in, float *out)
{
    stencil<64><<<1, 64>>>(in, out, 8);
}
