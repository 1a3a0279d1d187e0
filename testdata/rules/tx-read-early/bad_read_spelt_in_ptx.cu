// The scale is read, by a helper that spells ld.shared, behind the release of its stage.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int STAGES = 2;

__device__ float ld_shared(const float *from)
{
    float value;
    asm volatile("ld.shared.f32 %0, [%1];"
                 : "=f"(value)
                 : "r"(static_cast<uint32_t>(__cvta_generic_to_shared(from))));
    return value;
}

__device__ void wait(uint64_t &gate, unsigned parity)
{
    while (!ptx::mbarrier_try_wait_parity(&gate, parity)) {
    }
}

__global__ void scaled(const float *in, float *out, int steps)
{
    __shared__ alignas(128) float tile[STAGES][256];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; ++i) {
            ptx::mbarrier_init(&full[i], 1);
            ptx::mbarrier_init(&empty[i], 4);
        }
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    if (threadIdx.x == 128) {
        for (int i = 0; i < steps; ++i) {
            const int s = i % STAGES;
            wait(empty[s], (i / STAGES & 1) ^ 1);
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[s], 1024);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile[s], in + i * 256, 1024, &full[s]);
        }
    } else if (threadIdx.x < 128) {
        float sum = 0.f;
        for (int i = 0; i < steps; ++i) {
            const int s = i % STAGES;
            wait(full[s], i / STAGES & 1);
            const float value = tile[s][threadIdx.x];
            __syncwarp();
            if (threadIdx.x % 32 == 0)
                ptx::mbarrier_arrive(&empty[s]);
            const float scale = ld_shared(&tile[s][128 + threadIdx.x]); // expect: tx-read-early
            sum += scale * value;
        }
        out[threadIdx.x] = sum;
    }
}

void run(const float *in, float *out, int steps)
{
    scaled<<<1, 160>>>(in, out, steps);
}
