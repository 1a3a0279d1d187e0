// The consumers arrive at the barrier of the full buffer and do not wait for it.
#include <cuda/barrier>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void stream(const float *in, float *out, int tiles)
{
    __shared__ block_barrier ready[2], filled[2];
    __shared__ float buffer[2][32];
    if (threadIdx.x == 0) {
        for (int i = 0; i < 2; ++i) {
            init(&ready[i], blockDim.x);
            init(&filled[i], blockDim.x);
        }
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        for (int i = 0; i < tiles; ++i) {
            ready[i % 2].arrive_and_wait(); // expect: arrive-over
            buffer[i % 2][threadIdx.x] = in[32 * i + threadIdx.x];
            (void)filled[i % 2].arrive(); // expect: phase-unobserved
        }
    } else {
        (void)ready[0].arrive();
        (void)ready[1].arrive();
        for (int i = 0; i < tiles; ++i) {
            (void)filled[i % 2].arrive(); // expect: phase-unobserved
            out[32 * i + threadIdx.x - 32] = buffer[i % 2][63 - threadIdx.x];
            (void)ready[i % 2].arrive();
        }
    }
}

void launch(const float *in, float *out, int tiles)
{
    stream<<<1, 64>>>(in, out, tiles);
}
