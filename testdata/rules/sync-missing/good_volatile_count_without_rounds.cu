// The first value is waited for, whether there are rows or none.
#include <cuda_runtime.h>

struct column_state {
    unsigned found;
    int rows;
    unsigned place[256];
};

__device__ void note_rows(volatile column_state *state, const unsigned *valid, int thread)
{
    if (thread == 0)
        state->found = 0;
    __syncthreads();
    for (int row = 0; row < state->rows; row += 256) {
        state->place[thread] = valid[row + thread];
        __syncthreads();
        if (thread == 0)
            state->found += state->place[255];
        __syncthreads();
    }
}

__global__ void rows_found(const unsigned *valid, const int *rows, unsigned *out)
{
    __shared__ column_state state;
    if (threadIdx.x == 0)
        state.rows = rows[blockIdx.x];
    __syncthreads();
    note_rows(&state, valid, threadIdx.x);
    out[blockIdx.x * 256 + threadIdx.x] = state.found;
}

// A warp waits for the word that another one writes, in rounds in which nobody meets.
__global__ void handed_over(const int *in, int *out)
{
    __shared__ volatile int ready;
    __shared__ volatile int value;
    if (threadIdx.x == 0)
        ready = 0;
    __syncthreads();
    if (threadIdx.x == 32) {
        value = in[blockIdx.x];
        __threadfence_block();
        ready = 1;
    } else if (threadIdx.x == 0) {
        while (!ready) {
        }
        __threadfence_block();
        out[blockIdx.x] = value;
    }
}

void launch(const unsigned *valid, const int *rows, unsigned *out, int *single, int columns)
{
    rows_found<<<columns, 256>>>(valid, rows, out);
    handed_over<<<columns, 64>>>(rows, single);
}
