// As in device_functions, but of different programs.
#include "device.h"

__global__ void outer(int *data)
{
    helper(data); // without -rdc, no other unit can define it
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
