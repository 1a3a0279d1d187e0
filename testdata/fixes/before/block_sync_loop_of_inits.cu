// The primitives, in a loop, behind a cooperative group's rank.
#include <cooperative_groups.h>
#include <cuda_awbarrier_primitives.h>

namespace cg = cooperative_groups;

__global__ void rows(const float *in, float *out)
{
    __shared__ __mbarrier_t ready[2];
    __shared__ float row[2][32];
    auto block = cg::this_thread_block();
    if (block.thread_rank() == 0) {
        for (int i = 0; i < 2; ++i)
            __mbarrier_init(&ready[i], 64);
    } /* initialised */
    for (int i = 0; i < 2; ++i) {
        row[i][threadIdx.x % 32] = in[i * 32 + threadIdx.x % 32];
        const __mbarrier_token_t token = __mbarrier_arrive(&ready[i]);
        while (!__mbarrier_try_wait(&ready[i], token, 100)) {
        }
        out[i * 64 + threadIdx.x] = row[i][31 - threadIdx.x % 32];
    }
}

void launch(const float *in, float *out)
{
    rows<<<1, 64>>>(in, out);
}
