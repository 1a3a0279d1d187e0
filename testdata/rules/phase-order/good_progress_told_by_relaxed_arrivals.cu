// Four warps smooth a row and meet at a barrier of their own for what they store meanwhile. A fifth one counts the
// rows that are read, and is told by arrivals that order nothing: it comes to no shared memory.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__device__ inline void tell(uint64_t *bar)
{
    asm volatile("mbarrier.arrive.relaxed.cta.shared::cta.b64 _, [%0];" ::"r"(
                     static_cast<uint32_t>(__cvta_generic_to_shared(bar)))
                 : "memory");
}

__global__ void smooth(const float *in, float *out, unsigned *progress)
{
    __shared__ float edge[4];
    __shared__ uint64_t read;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&read, 128);
    __syncthreads();
    if (threadIdx.x >= 128) {
        while (!ptx::mbarrier_try_wait_parity(&read, 0)) {
        }
        if (threadIdx.x == 128)
            atomicAdd(progress, 1);
        return;
    }
    int warp = threadIdx.x / 32;
    float own = in[blockIdx.x * 128 + threadIdx.x];
    if (threadIdx.x % 32 == 31)
        edge[warp] = own;
    tell(&read);
    asm volatile("bar.sync 1, 128;" ::: "memory");
    float before = warp > 0 ? edge[warp - 1] : 0;
    out[blockIdx.x * 128 + threadIdx.x] = (own + before) / 2;
}

void launch(const float *in, float *out, unsigned *progress, int rows)
{
    smooth<<<rows, 160>>>(in, out, progress);
}
