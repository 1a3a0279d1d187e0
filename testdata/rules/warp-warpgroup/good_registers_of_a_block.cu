// A block has the multiprocessor for itself and registers enough for what the second warpgroup asks
// for.
#include <cuda_runtime.h>

__global__ void __launch_bounds__(256, 1) scale(float *data, int rounds)
{
    if (threadIdx.x < 128) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
        for (int i = 0; i < rounds; ++i)
            data[threadIdx.x] *= 0.5f;
    }
}

void run(float *data, int rounds)
{
    scale<<<8, 256>>>(data, rounds);
}
