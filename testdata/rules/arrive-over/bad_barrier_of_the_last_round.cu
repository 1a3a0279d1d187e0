// The last round has a barrier of its own, which counts one thread too few.
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int threads = 96;

__global__ void turned(const int *in, int *out, int rounds)
{
    __shared__ int line[threads];
    __shared__ uint64_t filled, at_last;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&filled, threads);
        ptx::mbarrier_init(&at_last, threads - 1);
    }
    __syncthreads();
    for (int r = 0; r < rounds; ++r) {
        const bool is_last = r == rounds - 1;
        uint64_t *barrier = is_last ? &at_last : &filled;
        line[threadIdx.x] = in[r * threads + threadIdx.x];
        ptx::mbarrier_arrive(barrier); // expect: arrive-over
        while (!ptx::mbarrier_try_wait_parity(barrier, is_last ? 0 : r & 1)) {
        }
        out[r * threads + threadIdx.x] = line[threads - 1 - threadIdx.x];
        __syncthreads();
    }
}

void launch(const int *in, int *out, int rounds)
{
    turned<<<1, threads>>>(in, out, rounds);
}
