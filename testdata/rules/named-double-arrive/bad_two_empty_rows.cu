// For a row without tiles the workers only say that they are done with it: with two such rows one
// after the other they say so twice before the loader has heard of the first.
#include <cuda_runtime.h>

constexpr int kWorkers = 96, kAll = 128;

__device__ inline void meet(int id, int threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

__device__ inline void say(int id, int threads)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

__global__ void rows_of_tiles(const float *__restrict__ in, const int *__restrict__ lengths,
                              float *__restrict__ out, int rows)
{
    __shared__ float tile[32];
    for (int r = blockIdx.x; r < rows; r += gridDim.x) {
        const int tiles = (lengths[r] + 31) / 32;
        if (threadIdx.x >= kWorkers) {
            for (int t = 0; t < tiles; ++t) {
                tile[threadIdx.x - kWorkers] = in[r * 1024 + t * 32 + threadIdx.x - kWorkers];
                meet(1, kAll);
                meet(2, kAll);
            }
            meet(3, kAll);
        } else if (tiles == 0) {
            out[r * kWorkers + threadIdx.x] = 0;
            say(3, kAll); // expect: named-double-arrive
        } else {
            float sum = 0;
            for (int t = 0; t < tiles; ++t) {
                meet(1, kAll);
                sum += tile[threadIdx.x % 32];
                meet(2, kAll);
            }
            out[r * kWorkers + threadIdx.x] = sum;
            meet(3, kAll);
        }
    }
}

void run(const float *in, const int *lengths, float *out, int rows)
{
    rows_of_tiles<<<132, kAll>>>(in, lengths, out, rows);
}
