// Threads of a block read and write memory of the grid: one thread does, behind barriers, each its
// own words, all the same value, or with atomic operations beside plain ones.
#include <cuda_runtime.h>

struct session {
    int rounds_expected;
    int step;
    float *data;
};

__device__ void advance(session *at)
{
    if (threadIdx.x == 0)
        at->rounds_expected += at->step;
    __syncthreads();
}

__global__ void rounds(session *at, int count)
{
    for (int i = 0; i < count; ++i) {
        advance(at);
        if (i < at->rounds_expected)
            at->data[threadIdx.x] += 1;
        __syncthreads();
    }
}

__global__ void scaled_by_first(float *rows, int width)
{
    float *row = rows + blockIdx.x * width;
    const float first = row[0];
    __syncthreads();
    row[threadIdx.x] = row[threadIdx.x] / first;
    row[threadIdx.x] += 1;
}

__global__ void halves_swapped(int *words)
{
    int *own = words + blockIdx.x * 256;
    own[threadIdx.x] += 1;
    __syncthreads();
    int other = own[threadIdx.x ^ 128];
    __syncthreads();
    own[threadIdx.x] = other;
}

__global__ void chosen_by_all(int *chosen, const int *table, float *out, int which)
{
    *chosen = table[which];
    out[threadIdx.x] = *chosen;
    __syncthreads();
}

__global__ void counted(int *state, int *out)
{
    if (threadIdx.x == 0)
        state[1] = 0;
    atomicAdd(&state[0], 1);
    __syncthreads();
    out[threadIdx.x] = state[1];
}

void run(session *at, float *rows, int *words, int count)
{
    rounds<<<1, 256>>>(at, count);
    scaled_by_first<<<64, 256>>>(rows, 256);
    halves_swapped<<<64, 256>>>(words);
    chosen_by_all<<<1, 256>>>(words, words + 1, rows, count);
    counted<<<1, 256>>>(words, words + 2);
}
