// Tokens are kept per stage of the data, but there is one barrier for all stages.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int kStages = 3;

__global__ void windows(const int *__restrict__ in, int *__restrict__ out, int tiles)
{
    __shared__ uint64_t loaded;
    __shared__ int tile[kStages][64];
    uint64_t token[kStages];
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&loaded, 64);
    __syncthreads();
    for (int s = 0; s < kStages; ++s) {
        tile[s][threadIdx.x] = in[s * 64 + threadIdx.x];
        token[s] = ptx::mbarrier_arrive(&loaded);
        while (!ptx::mbarrier_try_wait(&loaded, token[s])) {
        }
    }
    for (int t = 0; t < tiles; ++t) {
        const int s = t % kStages;
        while (!ptx::mbarrier_try_wait(&loaded, token[s])) { // expect: phase-stale-token
        }
        out[t * 64 + threadIdx.x] = tile[s][63 - threadIdx.x];
    }
}

void run(const int *in, int *out)
{
    windows<<<1, 64>>>(in, out, 3);
}
