// There are 16 counters, 0 to 15.
#include "sp_sync.h"

__global__ void many_groups(float *data)
{
    __shared__ float line[1024];
    line[threadIdx.x] = data[threadIdx.x];
    sp::syncthreads(1 + threadIdx.x / 64, 2); // expect: named-id-range
    data[threadIdx.x] = line[threadIdx.x ^ 63];
}

void launch(float *data)
{
    many_groups<<<1, 1024>>>(data);
}
