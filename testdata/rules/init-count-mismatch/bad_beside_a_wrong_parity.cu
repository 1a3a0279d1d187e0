// Two mistakes that have nothing to do with each other: one warp too many arrives at a barrier, and
// the parities of the ring behind it change with every stage.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__device__ inline void wait(uint64_t *bar, uint32_t parity)
{
    while (!ptx::mbarrier_try_wait_parity(bar, parity)) {
    }
}

__global__ void sums(const float *__restrict__ in, float *__restrict__ out, int rounds)
{
    __shared__ uint64_t scaled, full[2], empty[2];
    __shared__ float scale[128], line[2][32];
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&scaled, 96);
        for (int s = 0; s < 2; ++s) {
            ptx::mbarrier_init(&full[s], 32);
            ptx::mbarrier_init(&empty[s], 96);
        }
    }
    __syncthreads();
    scale[threadIdx.x] = in[threadIdx.x];
    ptx::mbarrier_arrive(&scaled); // expect: init-count-mismatch
    wait(&scaled, 0);
    if (threadIdx.x < 32) {
        for (int r = 0; r < rounds; ++r) {
            wait(&empty[r % 2], (r & 1) ^ 1); // expect: phase-parity-flip
            line[r % 2][threadIdx.x] = in[r * 32 + threadIdx.x];
            ptx::mbarrier_arrive(&full[r % 2]);
        }
    } else {
        float sum = scale[127 - threadIdx.x];
        for (int r = 0; r < rounds; ++r) {
            wait(&full[r % 2], r & 1); // expect: phase-parity-flip
            sum += line[r % 2][threadIdx.x % 32];
            ptx::mbarrier_arrive(&empty[r % 2]);
        }
        out[threadIdx.x] = sum;
    }
}

void run(const float *in, float *out, int rounds)
{
    sums<<<1, 128>>>(in, out, rounds);
}
