// The producer never advances its state.
#include "ring.cuh"

__global__ void stream(const float *in, float *out, int tiles)
{
    __shared__ ring<2> stages;
    __shared__ float tile[2][32];
    const int lane = threadIdx.x % 32;
    if (threadIdx.x == 0)
        stages.construct(32, 32);
    __syncthreads();
    if (threadIdx.x < 32) {
        auto state = producer_start<2>();
        for (int t = 0; t < tiles; ++t) {
            stages.producer_acquire(state);
            tile[state.index][lane] = in[t * 32 + lane];
            stages.producer_commit(state);
        }
    } else {
        stage_state<2> state;
        for (int t = 0; t < tiles; ++t) {
            stages.consumer_wait(state); // expect: init-count-mismatch
            out[t * 32 + lane] = 2 * tile[state.index][lane];
            stages.consumer_release(state);
            state.advance();
        }
    }
}

void launch(const float *in, float *out, int tiles)
{
    stream<<<1, 64>>>(in, out, tiles);
}
