// The keys go back to the loader only from threads whose score is positive.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void __launch_bounds__(160) scores(const float *query, const float *keys, float *out, int n)
{
    __shared__ float key[32 * 16];
    __shared__ uint64_t full, empty;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 32);
        ptx::mbarrier_init(&empty, 128);
    }
    __syncthreads();
    if (threadIdx.x >= 128) {
        for (int i = 0; i < n; ++i) {
            while (!ptx::mbarrier_try_wait_parity(&empty, i % 2 ^ 1)) {
            }
            for (int k = threadIdx.x - 128; k < 32 * 16; k += 32)
                key[k] = keys[i * 32 * 16 + k];
            ptx::mbarrier_arrive(&full);
        }
    } else {
        float best = 0.f;
        for (int i = 0; i < n; ++i) {
            while (!ptx::mbarrier_try_wait_parity(&full, i % 2)) {
            }
            float score = 0.f;
            for (int d = 0; d < 16; ++d)
                score += query[threadIdx.x * 16 + d] * key[threadIdx.x % 32 * 16 + d];
            if (score > 0.f) {
                best += score;
                ptx::mbarrier_arrive(&empty); // expect: arrive-divergent
            }
        }
        out[threadIdx.x] = best;
    }
}

void launch(const float *query, const float *keys, float *out, int n)
{
    scores<<<1, 160>>>(query, keys, out, n);
}
