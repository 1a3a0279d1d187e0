// Each warp counts digits in a row of its own, and a barrier of the block stands before all rows are
// added up. A table that data lead into by rows of the block's width has a column for each thread.
#include <cuda_runtime.h>

__global__ void count_digits(const unsigned *keys, unsigned *counts, int n, int shift)
{
    __shared__ unsigned row[8][16];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int i = threadIdx.x; i < 128; i += 256)
        row[i / 16][i % 16] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; __any_sync(0xffffffff, i < n);
         i += gridDim.x * 256) {
        const unsigned active = __ballot_sync(0xffffffff, i < n);
        if (i < n) {
            const unsigned digit = keys[i] >> shift & 15;
            const unsigned same = __match_any_sync(active, digit);
            if (__ffs(same) - 1 == lane)
                row[warp][digit] += __popc(same);
        }
        __syncwarp();
    }
    __syncthreads();
    if (threadIdx.x < 16) {
        unsigned sum = 0;
        for (int w = 0; w < 8; ++w)
            sum += row[w][threadIdx.x];
        atomicAdd(&counts[threadIdx.x], sum);
    }
}

__global__ void count_rest(const unsigned *keys, unsigned *counts, unsigned bins)
{
    __shared__ unsigned bin[1024];
    for (int i = threadIdx.x; i < 1024; i += 128)
        bin[i] = 0;
    __syncthreads();
    atomicAdd(&bin[keys[blockIdx.x * 128 + threadIdx.x] % bins], 1);
    __syncthreads();
    for (int i = threadIdx.x; i < 1024; i += 128)
        atomicAdd(&counts[i], bin[i]);
}

__global__ void by_columns(const int *labels, const float *in, float *out, int width)
{
    __shared__ float sum[16 * 64];
    for (int i = 0; i < 16; ++i)
        sum[i * width + threadIdx.x] = 0;
    for (int i = 0; i < 8; ++i)
        sum[labels[i * 64 + threadIdx.x] * width + threadIdx.x] += in[i * 64 + threadIdx.x];
    for (int i = 0; i < 16; ++i)
        out[i * width + threadIdx.x] = sum[i * width + threadIdx.x];
    __syncthreads();
}

void run(const unsigned *keys, unsigned *counts, int n, int shift, unsigned bins)
{
    count_digits<<<80, 256>>>(keys, counts, n, shift);
    count_rest<<<n / 128, 128>>>(keys, counts, bins);
    by_columns<<<1, 64>>>((const int *)keys, (const float *)keys, (float *)counts, 64);
}
