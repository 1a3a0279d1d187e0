#include "device.h"

static __device__ bool is_low()
{
    return threadIdx.x < 32;
}

__device__ void helper(int *data)
{
    if (is_low())
        deeper(data);
}
