// The token goes from the arrive straight into the wait; another one is dropped on purpose.
#include <cuda/barrier>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

template <int Stages>
__global__ void pipeline(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ block_barrier full[Stages], empty[Stages];
    __shared__ float tile[Stages][32];
    if (threadIdx.x == 0) {
        for (int s = 0; s < Stages; ++s) {
            init(&full[s], 64);
            init(&empty[s], 64);
        }
    }
    __syncthreads();
    const int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        for (int t = 0; t < tiles; ++t) {
            const int s = t % Stages;
            empty[s].wait(empty[s].arrive());
            tile[s][lane] = in[t * 32 + lane];
            [[maybe_unused]] auto dropped = full[s].arrive();
        }
    } else {
        for (int s = 0; s < Stages; ++s)
            (void)empty[s].arrive();
        for (int t = 0; t < tiles; ++t) {
            const int s = t % Stages;
            full[s].wait(full[s].arrive());
            out[t * 32 + lane] = tile[s][31 - lane];
            (void)empty[s].arrive();
        }
    }
}

void run(const float *in, float *out, int tiles)
{
    pipeline<4><<<1, 64>>>(in, out, tiles);
}
