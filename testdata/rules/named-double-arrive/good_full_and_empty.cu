// Two barriers, one for each direction; the ids depend on the stage.
#include <cuda_runtime.h>

constexpr int kStages = 2;

__device__ int full(int stage)
{
    return 1 + stage;
}
__device__ int empty(int stage)
{
    return 1 + kStages + stage;
}

__device__ void sync(int id)
{
    asm volatile("bar.sync %0, 128;" ::"r"(id) : "memory");
}
__device__ void arrive(int id)
{
    asm volatile("bar.arrive %0, 128;" ::"r"(id) : "memory");
}

__global__ void __launch_bounds__(128) stream(const float *__restrict__ in,
                                              float *__restrict__ out, int tiles)
{
    __shared__ float tile[kStages][64];
    const int lane = threadIdx.x % 64;
    if (threadIdx.x < 64) {
        for (int t = 0; t < tiles; ++t) {
            const int s = t % kStages;
            sync(empty(s));
            tile[s][lane] = in[t * 64 + lane];
            arrive(full(s));
        }
    } else {
        for (int s = 0; s < kStages && s < tiles; ++s)
            arrive(empty(s));
        for (int t = 0; t < tiles; ++t) {
            const int s = t % kStages;
            sync(full(s));
            out[t * 64 + lane] = tile[s][lane];
            if (t + kStages < tiles)
                arrive(empty(s));
        }
    }
}

void run(const float *in, float *out, int tiles)
{
    stream<<<1, 128>>>(in, out, tiles);
}
