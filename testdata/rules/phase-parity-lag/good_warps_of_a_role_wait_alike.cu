// Every warp of the loading role waits for the free buffer, one of them loads. The warps meet after
// each task, so none stays more than a few instructions behind.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int STAGES = 2, WORDS = 512;

__device__ void wait(uint64_t &gate, unsigned parity)
{
    while (!ptx::mbarrier_try_wait_parity(&gate, parity)) {
    }
}

__global__ void sums(const float *in, float *out, int words, int tasks)
{
    __shared__ alignas(128) float buffer[STAGES][WORDS];
    __shared__ uint64_t arrived[STAGES], finished[STAGES];
    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; ++i) {
            ptx::mbarrier_init(&arrived[i], 1);
            ptx::mbarrier_init(&finished[i], 4);
        }
    }
    __syncthreads();
    const int warp = threadIdx.x / 32, rounds = words / WORDS;
    int stage = 0;
    unsigned parity = 0;
    for (int task = blockIdx.x; task < tasks; task += gridDim.x) {
        float sum = 0;
        for (int i = 0; i < rounds; ++i) {
            if (warp >= 4) {
                wait(finished[stage], parity ^ 1);
                if (threadIdx.x == 128) {
                    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                                   ptx::space_shared, &arrived[stage],
                                                   sizeof buffer[0]);
                    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, buffer[stage],
                                       in + (task * rounds + i) * WORDS, sizeof buffer[0],
                                       &arrived[stage]);
                }
            } else {
                wait(arrived[stage], parity);
                sum += buffer[stage][threadIdx.x];
                __syncwarp();
                if (threadIdx.x % 32 == 0)
                    ptx::mbarrier_arrive(&finished[stage]);
            }
            if (++stage == STAGES) {
                stage = 0;
                parity ^= 1;
            }
        }
        if (warp >= 4)
            asm volatile("bar.sync 1, 128;" ::: "memory");
        else
            out[task * 128 + threadIdx.x] = sum;
    }
}

void launch(const float *in, float *out, int words, int tasks)
{
    sums<<<132, 256>>>(in, out, words, tasks);
}
