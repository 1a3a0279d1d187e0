// What all threads of a block read and write in memory of the grid: warps that run ahead change it
// under the others.
#include <cuda_runtime.h>

struct session {
    int rounds_expected;
    int step;
    float *data;
};

__device__ void advance(session *at)
{
    at->rounds_expected += at->step; // expect: sync-missing
    __syncthreads();
}

__global__ void rounds(session *at, int count)
{
    for (int i = 0; i < count; ++i) {
        advance(at);
        if (threadIdx.x < 32)
            at->data[threadIdx.x] += 1;
        __syncthreads();
    }
}

__global__ void scaled_by_first(float *rows, int width)
{
    float *row = rows + blockIdx.x * width;
    __shared__ float sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, row[threadIdx.x] / row[0]);
    row[threadIdx.x] = row[threadIdx.x] / row[0]; // expect: sync-missing
    __syncthreads();
    row[threadIdx.x] *= sum;
}

__global__ void halves_swapped(int *words)
{
    int *own = words + blockIdx.x * 256;
    own[threadIdx.x] += 1;
    int other = own[threadIdx.x ^ 128]; // expect: sync-missing
    __syncthreads();
    own[threadIdx.x] = other;
}

void run(session *at, float *rows, int *words, int count)
{
    rounds<<<1, 256>>>(at, count);
    scaled_by_first<<<64, 256>>>(rows, 256);
    halves_swapped<<<64, 256>>>(words);
}
