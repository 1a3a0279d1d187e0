// The steps of the copies name the block, 64 threads: a stage ends where the table begins, which is
// read while copies into the stage are under way.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

struct plan {
    dim3 grid, block;
};

template <int threads, int pieces>
__global__ void weighted(const float *in, const float *weight, float *out, int tiles)
{
    constexpr int words = threads * pieces * 4;
    __shared__ alignas(16) float memory[2 * words + 64];
    float *table = memory + 2 * words;
    for (int i = threadIdx.x; i < 64; i += threads)
        table[i] = weight[i];
    __syncthreads();
    float sum = 0;
    for (int tile = 0; tile <= tiles; ++tile) {
        if (tile < tiles) {
            float *stage = memory + tile % 2 * words;
            for (int i = 0; i < pieces; ++i) {
                int at = (threadIdx.x + threads * i) * 4;
                __pipeline_memcpy_async(stage + at, in + tile * words + at, 16);
            }
        }
        __pipeline_commit();
        float scale = table[tile % 64];
        __pipeline_wait_prior(1);
        __syncthreads();
        if (tile > 0)
            sum += scale * memory[(tile - 1) % 2 * words + (threadIdx.x ^ 32)];
        __syncthreads();
    }
    out[blockIdx.x * threads + threadIdx.x] = sum;
}

void launch(const plan &made, const float *in, const float *weight, float *out, int tiles)
{
    weighted<64, 2><<<made.grid, made.block>>>(in, weight, out, tiles);
}
