// The last wait asks one slot on: for what was kept there four rounds ago, or never.
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void keep(const int *in, int *out, int rounds)
{
    __shared__ uint64_t met;
    __shared__ int line[64];
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&met, 64);
    __syncthreads();
    uint64_t token[4];
    int sum = 0;
    for (int r = 0; r < rounds; ++r) {
        line[threadIdx.x] = in[r * 64 + threadIdx.x];
        token[r % 4] = ptx::mbarrier_arrive(&met);
        if (r + 1 < rounds) {
            while (!ptx::mbarrier_try_wait(&met, token[r % 4])) {
            }
            sum += line[63 - threadIdx.x];
            __syncthreads();
        }
    }
    if (rounds > 0)
        while (!ptx::mbarrier_try_wait(&met, token[rounds % 4])) { // expect: phase-stale-token
        }
    out[threadIdx.x] = sum + line[63 - threadIdx.x];
}

void launch(const int *in, int *out, int rounds)
{
    keep<<<1, 64>>>(in, out, rounds);
}
