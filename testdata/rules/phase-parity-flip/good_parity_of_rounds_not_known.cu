// A line takes as many parts as the caller says, none of which ends early: the parity goes on from
// line to line, and what it is after the first one nobody knows here.
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__device__ void until(uint64_t *barrier, unsigned parity)
{
    while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
    }
}

__global__ void lines(const int *in, int *out, int count, int length)
{
    __shared__ alignas(16) int part[64];
    __shared__ uint64_t full, taken;
    const int parts = length <= 64 ? 1 : (length + 63) / 64;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::mbarrier_init(&taken, 64);
    }
    __syncthreads();
    for (int line = 0; line < count; ++line) {
        auto each = [&](auto &&work) {
            for (int i = 0; i < parts - 1; ++i)
                work(i);
            work(parts - 1);
        };
        if (threadIdx.x == 64) {
            each([&](int i) {
                until(&taken, (line * parts + i + 1) & 1);
                ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                               &full, sizeof part);
                ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, part,
                                   in + (line * parts + i) * 64, sizeof part, &full);
            });
        } else if (threadIdx.x < 64) {
            int sum = 0;
            each([&](int i) {
                until(&full, (line * parts + i) & 1);
                sum += part[63 - threadIdx.x];
                ptx::mbarrier_arrive(&taken);
            });
            out[line * 64 + threadIdx.x] = sum;
        }
    }
}

void launch(const int *in, int *out, int count, int length)
{
    if (length > 0)
        lines<<<1, 96>>>(in, out, count, length);
}
