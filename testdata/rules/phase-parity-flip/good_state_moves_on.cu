// The reader moves its place in the ring on with each tile.
#include <cuda/barrier>
#include <cuda/ptx>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

template <int STAGES> struct place {
    int stage = 0;
    bool parity = false;
    __device__ place next() const
    {
        place after = *this;
        if (++after.stage == STAGES) {
            after.stage = 0;
            after.parity = !parity;
        }
        return after;
    }
};

__device__ void wait(block_barrier &bar, bool parity)
{
    while (!cuda::ptx::mbarrier_try_wait_parity(cuda::device::barrier_native_handle(bar), parity)) {
    }
}

__global__ void square(const float *in, float *out, int tiles)
{
    __shared__ block_barrier full[3], empty[3];
    __shared__ float ring[3][64];
    if (threadIdx.x < 3) {
        init(&full[threadIdx.x], 64);
        init(&empty[threadIdx.x], 64);
    }
    __syncthreads();
    place<3> at;
    if (threadIdx.x < 64) {
        for (int i = 0; i < tiles; ++i, at = at.next()) {
            wait(empty[at.stage], !at.parity);
            ring[at.stage][threadIdx.x] = in[i * 64 + threadIdx.x];
            (void)full[at.stage].arrive();
        }
    } else {
        for (int i = 0; i < tiles; ++i, at = at.next()) {
            wait(full[at.stage], at.parity);
            const float value = ring[at.stage][127 - threadIdx.x];
            (void)empty[at.stage].arrive();
            out[i * 64 + threadIdx.x - 64] = value * value;
        }
    }
}

void run(const float *in, float *out, int tiles)
{
    square<<<1, 128>>>(in, out, tiles);
}
