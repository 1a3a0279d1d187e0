// The producers arrive once a tile and leave the waiting to the consumers, which hold them back
// through a second barrier.
#include <cuda_awbarrier_primitives.h>

__device__ void wait(__mbarrier_t *barrier, int parity)
{
    while (!__mbarrier_test_wait_parity(barrier, parity)) {
    }
}

__global__ void stream(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ __mbarrier_t full, empty;
    __shared__ float tile[64];
    if (threadIdx.x == 0) {
        __mbarrier_init(&full, 64);
        __mbarrier_init(&empty, 64);
    }
    __syncthreads();
    if (threadIdx.x < 64) {
        for (int t = 0; t < tiles; ++t) {
            wait(&empty, (t & 1) ^ 1);
            tile[threadIdx.x] = in[t * 64 + threadIdx.x];
            (void)__mbarrier_arrive(&full);
        }
    } else {
        for (int t = 0; t < tiles; ++t) {
            wait(&full, t & 1);
            out[t * 64 + threadIdx.x - 64] = tile[127 - threadIdx.x];
            (void)__mbarrier_arrive(&empty);
        }
    }
}

void run(const float *in, float *out, int tiles)
{
    stream<<<1, 128>>>(in, out, tiles);
}
