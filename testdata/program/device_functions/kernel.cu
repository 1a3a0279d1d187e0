// What helper() does stands in another file, and that calls into a third.
#include "device.h"

__global__ void outer(int *data)
{
    helper(data); // expect: sync-divergent
    data[threadIdx.x] = 1;
}

__global__ void safe(int *data)
{
    deeper(data);
}

void run(int *data)
{
    outer<<<1, 64>>>(data);
    safe<<<1, 64>>>(data);
}
