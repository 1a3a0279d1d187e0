// A memset of the shared state in the middle of the kernel takes the barrier with it.
#include <cstring>
#include <cuda_awbarrier_primitives.h>

struct State {
    int hits[32];
    __mbarrier_t counted;
};

__global__ void histogram(const unsigned char *__restrict__ in, int *__restrict__ out, int rounds)
{
    __shared__ State state;
    const int tid = threadIdx.x;
    if (tid == 0) {
        memset(&state, 0, sizeof state);
        __mbarrier_init(&state.counted, 128);
    }
    __syncthreads();
    for (int r = 0; r < rounds; ++r) {
        atomicAdd(&state.hits[in[r * 128 + tid] % 32], 1);
        const __mbarrier_token_t token = __mbarrier_arrive(&state.counted);
        while (!__mbarrier_test_wait(&state.counted, token)) {
        }
        if (tid < 32)
            out[r * 32 + tid] = state.hits[tid];
        __syncthreads();
        if (tid == 0)
            memset(&state, 0, sizeof state); // expect: init-raw-access
        __syncthreads();
    }
}

void run(const unsigned char *in, int *out)
{
    histogram<<<1, 128>>>(in, out, 4);
}
