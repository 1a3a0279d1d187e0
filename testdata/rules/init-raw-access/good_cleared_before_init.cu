// The shared state is cleared as a whole before its barrier is initialised.
#include <cstring>
#include <cuda/barrier>

struct State {
    int hits[32];
    cuda::barrier<cuda::thread_scope_block> counted;
};

__global__ void histogram(const unsigned char *__restrict__ in, int *__restrict__ out, int rounds)
{
    __shared__ alignas(State) unsigned char place[sizeof(State)];
    State &state = *reinterpret_cast<State *>(place);
    const int tid = threadIdx.x;
    if (tid == 0) {
        memset(place, 0, sizeof place);
        init(&state.counted, 128);
    }
    __syncthreads();
    for (int r = 0; r < rounds; ++r) {
        atomicAdd(&state.hits[in[r * 128 + tid] % 32], 1);
        state.counted.arrive_and_wait();
        if (tid < 32)
            out[r * 32 + tid] = state.hits[tid];
        __syncthreads();
        if (tid < 32)
            state.hits[tid] = 0;
        __syncthreads();
    }
}

void run(const unsigned char *in, int *out)
{
    histogram<<<1, 128>>>(in, out, 4);
}
