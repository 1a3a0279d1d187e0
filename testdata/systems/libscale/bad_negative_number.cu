// A number below 0 is none either.
#include "sp_sync.h"

__global__ void reverse(float *data)
{
    __shared__ float line[128];
    line[threadIdx.x] = data[threadIdx.x];
    sp::syncthreads(-1); // expect: named-id-range
    data[threadIdx.x] = line[127 - threadIdx.x];
}

void launch(float *data)
{
    reverse<<<1, 128>>>(data);
}
