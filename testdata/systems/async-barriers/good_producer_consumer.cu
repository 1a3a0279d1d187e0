// Two buffers, two barriers each: the first warp fills, the others empty.
#include <cooperative_groups.h>
#include <cuda/barrier>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__device__ void produce(block_barrier *ready, block_barrier *filled, float *buffer,
                        const float *in, int tiles, int length)
{
    for (int t = 0; t < tiles; ++t) {
        ready[t % 2].arrive_and_wait();
        for (int i = threadIdx.x; i < length; i += 32)
            buffer[t % 2 * length + i] = in[t * length + i];
        (void)filled[t % 2].arrive();
    }
}

__device__ void consume(block_barrier *ready, block_barrier *filled, const float *buffer,
                        float *out, int tiles, int length)
{
    (void)ready[0].arrive();
    (void)ready[1].arrive();
    for (int t = 0; t < tiles; ++t) {
        filled[t % 2].arrive_and_wait();
        for (int i = threadIdx.x - 32; i < length; i += 96)
            out[t * length + i] = 2 * buffer[t % 2 * length + i];
        (void)ready[t % 2].arrive();
    }
}

__global__ void stream(const float *in, float *out, int tiles)
{
    constexpr int length = 192;
    __shared__ float buffer[2 * length];
    __shared__ block_barrier bar[4];
    auto block = cooperative_groups::this_thread_block();
    if (block.thread_rank() < 4)
        init(bar + block.thread_rank(), block.size());
    block.sync();
    if (block.thread_rank() < 32)
        produce(bar, bar + 2, buffer, in, tiles, length);
    else
        consume(bar, bar + 2, buffer, out, tiles, length);
}

void launch(const float *in, float *out, int tiles)
{
    stream<<<1, 128>>>(in, out, tiles);
}
