// Two phases pass for each wait.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

template <int Rounds>
__global__ void alternate(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ uint64_t step;
    __shared__ int line[2][64];
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&step, 64);
    __syncthreads();
    for (int r = 0; r < Rounds; ++r) {
        line[0][threadIdx.x] = in[2 * r * 64 + threadIdx.x];
        (void)ptx::mbarrier_arrive(&step);
        line[1][threadIdx.x] = in[(2 * r + 1) * 64 + threadIdx.x];
        const uint64_t token = ptx::mbarrier_arrive(&step); // expect: phase-unobserved
        while (!ptx::mbarrier_try_wait(&step, token)) {
        }
        out[r * 64 + threadIdx.x] = line[0][63 - threadIdx.x] - line[1][63 - threadIdx.x];
        __syncthreads();
    }
}

void run(const int *in, int *out)
{
    alternate<4><<<1, 64>>>(in, out);
}
