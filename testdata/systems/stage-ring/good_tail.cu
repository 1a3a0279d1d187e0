// The producer waits until both blocks have released all stages.
#include "cluster_ring.cuh"

__global__ void __cluster_dims__(2, 1, 1) stream(const float *in, float *out, int tiles)
{
    __shared__ cluster_ring<2> stages;
    __shared__ float tile[2][32];
    const int lane = threadIdx.x % 32;
    if (threadIdx.x == 0)
        stages.construct(32, 2);
    cluster_meets();
    if (threadIdx.x < 32) {
        auto state = producer_start<2>();
        for (int t = 0; t < tiles; ++t) {
            stages.producer_acquire(state);
            tile[state.index][lane] = in[t * 32 + lane];
            stages.producer_commit(state);
            state.advance();
        }
        stages.producer_tail(state);
    } else {
        stage_state<2> state;
        for (int t = 0; t < tiles; ++t) {
            stages.consumer_wait(state);
            out[t * 32 + lane] = 2 * tile[state.index][lane];
            __syncwarp();
            if (lane < 2)
                stages.consumer_release(state, lane);
            state.advance();
        }
    }
}

void launch(const float *in, float *out, int tiles)
{
    stream<<<8, 64>>>(in, out, tiles);
}
