// The readers stop at the first entry below 0, the loader goes on to the end and waits for them.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void follow(const int *__restrict__ list, const float *__restrict__ rows,
                       float *__restrict__ out, int most)
{
    __shared__ alignas(16) float row[2][64];
    __shared__ uint64_t full[2], empty[2];
    if (threadIdx.x < 2) {
        ptx::mbarrier_init(&full[threadIdx.x], 1);
        ptx::mbarrier_init(&empty[threadIdx.x], 64);
    }
    __syncthreads();
    if (threadIdx.x == 64) {
        for (int i = 0; i < most; ++i) {
            const int s = i & 1;
            while (!ptx::mbarrier_try_wait_parity(&empty[s], ((i >> 1) & 1) ^ 1)) { // expect: arrive-loop-mismatch
            }
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                           &full[s], sizeof(row[s]));
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, row[s], // expect: exit-inflight
                               rows + i * 64, sizeof(row[s]), &full[s]);
        }
    } else if (threadIdx.x < 64) {
        for (int i = 0; i < most; ++i) {
            const int s = i & 1, to = list[i];
            while (!ptx::mbarrier_try_wait_parity(&full[s], (i >> 1) & 1)) {
            }
            if (to < 0)
                break;
            out[to * 64 + threadIdx.x] = row[s][63 - threadIdx.x];
            ptx::mbarrier_arrive(&empty[s]);
        }
    }
}

void run(const int *list, const float *rows, float *out, int most)
{
    follow<<<1, 96>>>(list, rows, out, most);
}
