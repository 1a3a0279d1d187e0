// The producers never wait for the full barrier and drop their tokens; the consumers wait for each
// phase, and hold the producers back.
#include <cuda/barrier>
#include <utility>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void produce_consume(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ block_barrier full, empty;
    __shared__ float tile[32];
    if (threadIdx.x == 0) {
        init(&full, 64);
        init(&empty, 64);
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        for (int t = 0; t < tiles; ++t) {
            empty.arrive_and_wait();
            tile[threadIdx.x] = in[t * 32 + threadIdx.x];
            (void)full.arrive();
        }
    } else {
        (void)empty.arrive();
        for (int t = 0; t < tiles; ++t) {
            full.arrive_and_wait();
            out[t * 32 + threadIdx.x - 32] = tile[63 - threadIdx.x];
            (void)empty.arrive();
        }
    }
}

void run(const float *in, float *out, int tiles)
{
    produce_consume<<<1, 64>>>(in, out, tiles);
}
