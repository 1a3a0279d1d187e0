// Producers and consumers both leave the ring's barrier for good.
#include <cuda/barrier>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__device__ void leave(block_barrier *barrier)
{
    barrier->arrive_and_drop();
}

__global__ void hand_over(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ block_barrier tile_ready;
    __shared__ float tile[32];
    if (threadIdx.x == 0)
        init(&tile_ready, 64);
    __syncthreads();
    if (threadIdx.x < 32) {
        for (int t = 0; t < tiles; ++t) {
            tile[threadIdx.x] = in[t * 32 + threadIdx.x];
            tile_ready.arrive_and_wait();
            tile_ready.arrive_and_wait();
        }
        leave(&tile_ready);
    } else {
        for (int t = 0; t < tiles; ++t) {
            tile_ready.arrive_and_wait();
            out[t * 32 + threadIdx.x - 32] = tile[threadIdx.x - 32];
            tile_ready.arrive_and_wait();
        }
        leave(&tile_ready); // expect: exit-drop-to-zero
    }
}

void run(const float *in, float *out)
{
    hand_over<<<1, 64>>>(in, out, 8);
}
