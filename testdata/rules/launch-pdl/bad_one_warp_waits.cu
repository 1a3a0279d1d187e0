// Only the loading warp waits; the storing one reads too.
#include <cuda_runtime.h>

__global__ void produce(float *cell)
{
    cell[threadIdx.x] = threadIdx.x;
}

__global__ void consume(const float *cell, float *out)
{
    if (threadIdx.x < 32) {
        asm volatile("griddepcontrol.wait;" ::: "memory");
        out[threadIdx.x] = cell[threadIdx.x];
    } else {
        out[threadIdx.x] = cell[threadIdx.x] * 2; // expect: launch-pdl
    }
}

void launch(float *cell, float *out)
{
    produce<<<1, 128>>>(cell);
    cudaLaunchConfig_t config = {};
    config.gridDim = 1;
    config.blockDim = 128;
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute[0].val.programmaticStreamSerializationAllowed = 1;
    config.attrs = attribute;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, consume, (const float *)cell, out);
}
