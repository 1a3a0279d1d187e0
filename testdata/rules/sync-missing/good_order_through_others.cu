// A thread that waits knows of all that those knew who arrived: what the first warp writes comes to
// the third one through the second, which waits for the first and arrives for the third.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__device__ void wait(uint64_t *at, int parity)
{
    while (!ptx::mbarrier_try_wait_parity(at, parity)) {
    }
}

__global__ void relay(const float *__restrict__ in, float *__restrict__ out, int rounds)
{
    __shared__ float first[32], second[32];
    __shared__ uint64_t written, summed, read;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&written, 32);
        ptx::mbarrier_init(&summed, 1);
        ptx::mbarrier_init(&read, 32);
    }
    __syncthreads();
    for (int i = 0; i < rounds; ++i) {
        if (warp == 0) {
            if (i > 0)
                wait(&read, (i - 1) & 1);
            first[lane] = in[i * 32 + lane];
            ptx::mbarrier_arrive(&written);
        } else if (warp == 1) {
            if (lane == 0)
                wait(&written, i & 1);
            __syncwarp();
            second[lane] = first[31 - lane];
            __syncwarp();
            if (lane == 0)
                ptx::mbarrier_arrive(&summed);
        } else {
            wait(&summed, i & 1);
            out[i * 32 + lane] = first[lane] + second[lane ^ 1];
            ptx::mbarrier_arrive(&read);
        }
    }
}

// Half of the block waits, the other half only arrives, and then all meet.
__global__ void halves(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float row[128], sums[64];
    row[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x < 64) {
        asm volatile("bar.sync 1, 128;" ::: "memory");
        sums[threadIdx.x] = row[threadIdx.x] + row[threadIdx.x + 64];
    } else {
        asm volatile("bar.arrive 1, 128;" ::: "memory");
    }
    __syncthreads();
    row[127 - threadIdx.x] = sums[threadIdx.x / 2];
    __syncthreads();
    out[threadIdx.x] = row[threadIdx.x];
}

void run(const float *in, float *out, int rounds)
{
    relay<<<1, 96>>>(in, out, rounds);
    halves<<<1, 128>>>(in, out);
}
