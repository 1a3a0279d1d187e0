// Where all warps load, nobody is counted; the kernel is launched in two sizes, and asks for the
// number of its helpers first.
#include <cuda_runtime.h>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void scale(const float *in, float *out, int loaders)
{
    __shared__ float line[256];
    __shared__ uint64_t filled;
    const int helpers = blockDim.x / 32 - loaders;
    if (loaders == 8) {
        // Eight warps that load are all of the larger block, which is launched with four.
        if (threadIdx.x == 0)
            ptx::mbarrier_init(&filled, blockDim.x / 32 - 8);
    } else if (threadIdx.x == 0) {
        ptx::mbarrier_init(&filled, helpers);
    }
    __syncthreads();
    if (threadIdx.x >= loaders * 32) {
        line[threadIdx.x] = in[threadIdx.x];
        __syncwarp();
        if (threadIdx.x % 32 == 0)
            ptx::mbarrier_arrive(&filled);
    } else if (loaders < 8) {
        while (!ptx::mbarrier_try_wait_parity(&filled, 0)) {
        }
        out[threadIdx.x] = 2.0f * line[loaders * 32 + threadIdx.x];
    }
}

void launch(const float *in, float *out)
{
    scale<<<1, 256>>>(in, out, 4);
}
