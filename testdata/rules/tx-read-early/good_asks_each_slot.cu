// The readers look at both barriers of the first slot before their loop, to know early whether they
// must wait. Where there are no slots they only look, and go on.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int SLOTS = 2;

__global__ void weigh(const float *__restrict__ in, const float *__restrict__ weight,
                      float *__restrict__ out, int n)
{
    __shared__ alignas(16) float value[SLOTS][32], factor[SLOTS][32];
    __shared__ uint64_t values[SLOTS], factors[SLOTS], used[SLOTS];
    if (threadIdx.x < SLOTS) {
        ptx::mbarrier_init(&values[threadIdx.x], 1);
        ptx::mbarrier_init(&factors[threadIdx.x], 1);
        ptx::mbarrier_init(&used[threadIdx.x], 32);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    if (threadIdx.x == 32) {
        for (int i = 0; i < n; ++i) {
            const int s = i % SLOTS;
            while (!ptx::mbarrier_try_wait_parity(&used[s], ((i / SLOTS) & 1) ^ 1)) {
            }
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                           &values[s], sizeof(value[s]));
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, value[s], in + i * 32,
                               sizeof(value[s]), &values[s]);
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                           &factors[s], sizeof(factor[s]));
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, factor[s], weight + i * 32,
                               sizeof(factor[s]), &factors[s]);
        }
    } else if (threadIdx.x < 32) {
        float sum = 0.0f;
        bool has_value = ptx::mbarrier_try_wait_parity(&values[0], 0);
        bool has_factor = ptx::mbarrier_try_wait_parity(&factors[0], 0);
        for (int i = 0; i < n; ++i) {
            const int s = i % SLOTS, next = (i + 1) % SLOTS;
            const uint32_t parity = (i / SLOTS) & 1, parity_of_next = ((i + 1) / SLOTS) & 1;
            while (!has_value || !has_factor) {
                has_value = ptx::mbarrier_try_wait_parity(&values[s], parity);
                has_factor = ptx::mbarrier_try_wait_parity(&factors[s], parity);
            }
            has_value = has_factor = false;
            if (i + 1 < n) {
                has_value = ptx::mbarrier_try_wait_parity(&values[next], parity_of_next);
                has_factor = ptx::mbarrier_try_wait_parity(&factors[next], parity_of_next);
            }
            sum += value[s][threadIdx.x] * factor[s][31 - threadIdx.x];
            ptx::mbarrier_arrive(&used[s]);
        }
        out[threadIdx.x] = sum;
    }
}

void launch(const float *in, const float *weight, float *out, int n)
{
    weigh<<<1, 64>>>(in, weight, out, n);
}
