// The state of a ring is packed into bit-fields that have initialisers: in the first round the
// producer waits for nobody, as its flag says until the ring has come round.
#include <cuda/barrier>
#include <cuda/ptx>

using mbarrier = cuda::barrier<cuda::thread_scope_block>;

enum { STAGES = 4, ELEMENTS = 256 };

struct ring_state {
    unsigned full_bits : STAGES = 0;
    unsigned empty_bits : STAGES = 0;
    unsigned stage : 5 = 0;
    unsigned first_round : 1 = 1;

    __device__ void advance()
    {
        if (stage == STAGES - 1) {
            first_round = 0;
            stage = 0;
        } else {
            stage = stage + 1;
        }
    }
};

__device__ void wait(mbarrier &barrier, unsigned parity)
{
    while (
        !cuda::ptx::mbarrier_try_wait_parity(cuda::device::barrier_native_handle(barrier), parity))
        ;
}

__global__ void scale(const float *in, float *out, int tiles)
{
    __shared__ alignas(16) float buffer[STAGES][ELEMENTS];
    __shared__ mbarrier full[STAGES], empty[STAGES];
    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; ++i) {
            init(&full[i], 1);
            init(&empty[i], ELEMENTS);
        }
        cuda::device::experimental::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    ring_state state{};
    if (threadIdx.x < 32) {
        for (int tile = blockIdx.x; tile < tiles && threadIdx.x == 0; tile += gridDim.x) {
            if (!state.first_round) {
                unsigned parity = state.empty_bits >> state.stage & 1;
                wait(empty[state.stage], parity);
                state.empty_bits ^= 1u << state.stage;
            }
            cuda::device::memcpy_async_tx(buffer[state.stage], in + tile * ELEMENTS,
                                          cuda::aligned_size_t<16>(sizeof(buffer[0])),
                                          full[state.stage]);
            (void)cuda::device::barrier_arrive_tx(full[state.stage], 1, sizeof(buffer[0]));
            state.advance();
        }
    } else {
        for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            wait(full[state.stage], state.full_bits >> state.stage & 1);
            state.full_bits ^= 1u << state.stage;
            out[tile * ELEMENTS + threadIdx.x - 32] = 2 * buffer[state.stage][threadIdx.x - 32];
            (void)empty[state.stage].arrive();
            state.advance();
        }
    }
}

void launch(const float *in, float *out, int tiles)
{
    scale<<<64, 32 + ELEMENTS>>>(in, out, tiles);
}
