// A token for each stage, and a barrier for each stage: each token stays with its object, two
// iterations ahead of the wait.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int kStages = 3;

__global__ void windows(const int *__restrict__ in, int *__restrict__ out, int tiles)
{
    __shared__ uint64_t loaded[kStages];
    __shared__ int tile[kStages][64];
    uint64_t token[kStages];
    if (threadIdx.x < kStages)
        ptx::mbarrier_init(&loaded[threadIdx.x], 64);
    __syncthreads();
    for (int t = 0; t < kStages - 1 && t < tiles; ++t) {
        tile[t][threadIdx.x] = in[t * 64 + threadIdx.x];
        token[t] = ptx::mbarrier_arrive(&loaded[t]);
    }
    for (int t = 0; t < tiles; ++t) {
        const int s = t % kStages;
        while (!ptx::mbarrier_try_wait(&loaded[s], token[s])) {
        }
        out[t * 64 + threadIdx.x] = tile[s][63 - threadIdx.x];
        __syncthreads();
        const int next = t + kStages - 1;
        if (next < tiles) {
            tile[next % kStages][threadIdx.x] = in[next * 64 + threadIdx.x];
            token[next % kStages] = ptx::mbarrier_arrive(&loaded[next % kStages]);
        }
    }
}

void run(const int *in, int *out, int tiles)
{
    windows<<<1, 64>>>(in, out, tiles);
}
