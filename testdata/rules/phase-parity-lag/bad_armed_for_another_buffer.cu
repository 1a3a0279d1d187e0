// The barrier of the table is armed for the first tile as soon as thread 0 has seen the table: a warp
// that has not looked by then may find its parity back.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__device__ void load(float *to, const float *from, uint64_t &gate)
{
    if (threadIdx.x != 0)
        return;
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &gate, 512);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, to, from, 512, &gate);
}

__device__ void wait(uint64_t &gate, unsigned parity)
{
    while (!ptx::mbarrier_try_wait_parity(&gate, parity)) {
    }
}

__global__ void look_up(const float *in, float *out, int tiles)
{
    __shared__ alignas(128) float table[128], tile[128];
    __shared__ uint64_t gate;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&gate, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    load(table, in, gate);
    wait(gate, 0); // expect: phase-parity-lag
    load(tile, in + 128, gate);
    float sum = 0;
    for (int i = 1; i <= tiles; ++i) {
        wait(gate, i & 1);
        sum += table[threadIdx.x] * tile[127 - threadIdx.x];
        __syncthreads();
        if (i < tiles)
            load(tile, in + (i + 1) * 128, gate);
    }
    out[threadIdx.x] = sum;
}

void run(const float *in, float *out, int tiles)
{
    look_up<<<1, 128>>>(in, out, tiles);
}
