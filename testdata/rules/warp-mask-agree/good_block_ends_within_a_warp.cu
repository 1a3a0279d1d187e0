#include <cuda_runtime.h>


__global__ void odd(float *data)
{
    float value = data[threadIdx.x];
    value += __shfl_xor_sync(0xffffffffu, value, 1);
    __syncwarp();
    data[threadIdx.x] = value;
}

void launch(float *data)
{
    odd<<<4, 72>>>(data);
}
