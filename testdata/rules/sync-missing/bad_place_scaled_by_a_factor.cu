// Every element is marked as free, and some threads then mark what a factor makes of their number:
// that may be an element which another warp has yet to mark as free.
#include <cuda_runtime.h>

__global__ void mark_levels(const float *__restrict__ in, float *levels, float first, float step)
{
    __shared__ int level[2048];
    for (int i = threadIdx.x; i < 2048; i += blockDim.x)
        level[i] = -1;
    if (threadIdx.x < 128) {
        int place = (int)(first + threadIdx.x * step);
        level[place] = threadIdx.x; // expect: sync-missing
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 2048; i += blockDim.x)
        if (level[i] >= 0)
            levels[level[i]] = in[blockIdx.x * 2048 + i];
}

void run(const float *in, float *levels, float first, float step)
{
    mark_levels<<<8, 256>>>(in, levels, first, step);
}
