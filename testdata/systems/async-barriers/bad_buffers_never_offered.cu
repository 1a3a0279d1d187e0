// The producer waits until the consumers say that a buffer may be filled, the first time too.
#include <cuda/barrier>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void stream(const float *in, float *out, int tiles)
{
    __shared__ float buffer[2][96];
    __shared__ block_barrier ready[2], filled[2];
    if (threadIdx.x < 2) {
        init(&ready[threadIdx.x], 128);
        init(&filled[threadIdx.x], 128);
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        for (int t = 0; t < tiles; ++t) {
            ready[t % 2].arrive_and_wait(); // expect: phase-self-deadlock
            for (int i = threadIdx.x; i < 96; i += 32)
                buffer[t % 2][i] = in[t * 96 + i];
            (void)filled[t % 2].arrive();
        }
    } else {
        for (int t = 0; t < tiles; ++t) {
            filled[t % 2].arrive_and_wait();
            out[t * 96 + threadIdx.x - 32] = 2 * buffer[t % 2][threadIdx.x - 32];
            (void)ready[t % 2].arrive();
        }
    }
}

void launch(const float *in, float *out, int tiles)
{
    stream<<<1, 128>>>(in, out, tiles);
}
