// pedantic: it takes a warp that is late by two rounds, beside others of its role that are not
//
// Four warps wait for the free buffer and two of them fill it. The others do nothing but wait: nobody
// ever hears of them, so the buffer may be used twice before one of them looks. One that is late at
// its first wait hangs as well.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int STAGES = 2, ROWS = 64;

__device__ void wait(uint64_t &gate, unsigned parity)
{
    while (!ptx::mbarrier_try_wait_parity(&gate, parity)) {
    }
}

__global__ void gathered(const float *in, const int *rows, float *out, int tiles)
{
    __shared__ float buffer[STAGES][ROWS];
    __shared__ uint64_t filled[STAGES], drained[STAGES];
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; ++s) {
            ptx::mbarrier_init(&filled[s], ROWS);
            ptx::mbarrier_init(&drained[s], 64);
        }
    }
    __syncthreads();
    if (threadIdx.x >= 64) {
        const int row = threadIdx.x - 64;
        for (int i = 0; i < tiles; ++i) {
            const int stage = i % STAGES;
            wait(drained[stage], (i / STAGES & 1) ^ 1); // expect: phase-parity-initial, phase-parity-lag
            if (row < ROWS) {
                buffer[stage][row] = in[rows[i * ROWS + row]];
                ptx::mbarrier_arrive(&filled[stage]);
            }
        }
    } else {
        float sum = 0;
        for (int i = 0; i < tiles; ++i) {
            const int stage = i % STAGES;
            wait(filled[stage], i / STAGES & 1);
            sum += buffer[stage][threadIdx.x];
            ptx::mbarrier_arrive(&drained[stage]);
        }
        out[threadIdx.x] = sum;
    }
}

void run(const float *in, const int *rows, float *out, int tiles)
{
    gathered<<<1, 192>>>(in, rows, out, tiles);
}
