// A part without blocks hands the page back at once, also where it begins behind its end.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int blocks_of_part = 4, floats = 256;

__device__ void wait(uint64_t *bar, uint32_t parity)
{
    while (!ptx::mbarrier_try_wait_parity(bar, parity)) {
    }
}

__device__ void load(float *to, const float *from, uint64_t *full)
{
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full,
                                   floats * sizeof(float));
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, to, from, floats * sizeof(float),
                       full);
}

__global__ void __launch_bounds__(64)
    parts(const int *__restrict__ part, const int *__restrict__ blocks,
          const float *__restrict__ in, float *__restrict__ out, int count)
{
    __shared__ alignas(128) float page[blocks_of_part][floats];
    __shared__ uint64_t full[blocks_of_part], free;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&free, 1);
        for (int i = 0; i < blocks_of_part; ++i)
            ptx::mbarrier_init(&full[i], 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    if (threadIdx.x == 32) {
        for (int i = 0; i < count; ++i) {
            const int begin = part[i] * blocks_of_part;
            const int end = min(begin + blocks_of_part, blocks[i]);
            wait(&free, i + 1 & 1);
            if (begin >= end)
                ptx::mbarrier_arrive(&free);
            for (int k = begin; k < end; ++k)
                load(page[k - begin], in + floats * k, &full[k - begin]);
        }
    } else if (threadIdx.x < 32) {
        uint32_t parity[blocks_of_part] = {};
        for (int i = 0; i < count; ++i) {
            const int begin = part[i] * blocks_of_part;
            const int end = min(begin + blocks_of_part, blocks[i]);
            float sum = 0.0f;
            for (int k = begin; k < end; ++k) {
                wait(&full[k - begin], parity[k - begin]);
                parity[k - begin] ^= 1;
                for (int x = threadIdx.x; x < floats; x += 32)
                    sum += page[k - begin][x];
            }
            out[32 * i + threadIdx.x] = sum;
            __syncwarp();
            if (threadIdx.x == 0 && begin < end)
                ptx::mbarrier_arrive(&free);
        }
    }
}

void run(const int *part, const int *blocks, const float *in, float *out, int count)
{
    parts<<<132, 64>>>(part, blocks, in, out, count);
}
