// A word is written whole and read in parts, and the other way round. None of the conditions holds:
// what a word that was zero has in it since is not zero.
#include <cuda_runtime.h>

union packed {
    unsigned word;
    unsigned char part[4];
};

__global__ void fill(float *out)
{
    __shared__ float tile[128];
    packed whole = {0}, changed = {0};
    whole.word = 0x01020304;
    if (whole.part[1] == 0 && threadIdx.x < 64)
        __syncthreads();
    changed.word = 0x01020304;
    changed.part[2] = 7;
    if (changed.word != 0x01070304 && threadIdx.x < 64)
        __syncthreads();
    changed.part[0] = 9;
    if (changed.part[3] == 0 && threadIdx.x < 64)
        __syncthreads();
    tile[threadIdx.x] = whole.part[3];
    __syncthreads();
    out[threadIdx.x] = tile[127 - threadIdx.x];
}

void run(float *out)
{
    fill<<<1, 128>>>(out);
}
