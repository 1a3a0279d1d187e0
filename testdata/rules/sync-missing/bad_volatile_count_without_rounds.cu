// A loop that is left by what a volatile word says waits for nobody where the block meets in each
// round: the word is read as others are, and without rows nothing orders its first value.
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
    out[blockIdx.x * 256 + threadIdx.x] = state.found; // expect: sync-missing
}

void launch(const unsigned *valid, const int *rows, unsigned *out, int columns)
{
    rows_found<<<columns, 256>>>(valid, rows, out);
}
