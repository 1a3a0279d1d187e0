// The prologue arrives for stages 1 and up; the loop waits with the token of stage 0.
#include <cuda_awbarrier_primitives.h>

template <int Threads, int Stages>
__global__ void sums(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float tile[Stages][Threads];
    __shared__ __mbarrier_t loaded[Stages];
    const int tid = threadIdx.x;
    if (tid < Stages)
        __mbarrier_init(&loaded[tid], Threads);
    __syncthreads();
    __mbarrier_token_t token[Stages] = {};
    for (int s = 1; s < Stages; ++s) {
        tile[s][tid] = in[s * Threads + tid];
        token[s] = __mbarrier_arrive(&loaded[s]);
    }
    float sum = 0.0f;
    for (int s = 0; s < Stages; ++s) {
        while (!__mbarrier_test_wait(&loaded[s], token[s])) { // expect: phase-token-invalid
        }
        sum += tile[s][Threads - 1 - tid];
    }
    out[tid] = sum;
}

void run(const float *in, float *out)
{
    sums<64, 3><<<1, 64>>>(in, out);
}
