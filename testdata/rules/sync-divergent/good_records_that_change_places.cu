// Two records that begin as zero change places again and again.
#include <cuda_runtime.h>

struct window {
    int begin, end, done[14];
};

__global__ void rounds(int count, const float *in, float *out)
{
    __shared__ float tile[128];
    window now = {}, next = {};
    for (int i = 0; i < 60; ++i) {
        window last = now;
        now = next;
        next = last;
    }
    tile[threadIdx.x] = in[threadIdx.x];
    if (now.begin == 0)
        __syncthreads();
    out[threadIdx.x] = tile[127 - threadIdx.x] + count;
}

void run(int count, const float *in, float *out)
{
    rounds<<<1, 128>>>(count, in, out);
}
