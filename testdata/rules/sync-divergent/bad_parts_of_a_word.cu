// A word whose parts are written one after the other is what they make up.
#include <cuda_runtime.h>

union packed {
    unsigned word;
    unsigned char part[4];
};

__global__ void fill(float *out)
{
    __shared__ float tile[128];
    packed state = {0};
    state.word = 0x01020304;
    state.part[0] = 7;
    state.part[3] = 0;
    tile[threadIdx.x] = 1;
    if (state.word == 0x00020307 && threadIdx.x < 64)
        __syncthreads(); // expect: sync-divergent
    out[threadIdx.x] = tile[threadIdx.x];
}

void run(float *out)
{
    fill<<<1, 128>>>(out);
}
