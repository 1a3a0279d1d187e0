// Of the four warps of the loading role two fill the buffer; the others end before they would wait
// for it.
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
        if (row >= ROWS)
            return;
        for (int i = 0; i < tiles; ++i) {
            const int stage = i % STAGES;
            wait(drained[stage], (i / STAGES & 1) ^ 1);
            buffer[stage][row] = in[rows[i * ROWS + row]];
            ptx::mbarrier_arrive(&filled[stage]);
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
