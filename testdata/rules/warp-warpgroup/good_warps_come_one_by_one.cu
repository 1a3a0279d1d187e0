// The first warp comes to the registers behind the others, which may have nothing to do and be gone.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void __launch_bounds__(256, 1) scale(float *data, int tiles)
{
    __shared__ uint64_t gate;
    if (threadIdx.x < 128) {
        if (threadIdx.x == 0)
            ptx::mbarrier_init(&gate, 1);
        asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
        for (int t = blockIdx.x; t < tiles; t += gridDim.x)
            data[t * 128 + threadIdx.x] *= 0.5f;
    } else {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
    }
}

void run(float *data, int tiles)
{
    scale<<<132, 256>>>(data, tiles);
}
