// A template that nothing here instantiates: what it calls of its parameter only gives it numbers.
#include <cuda_pipeline.h>

template <typename Map> __global__ void turn(Map map, const float *in, float *out)
{
    __shared__ float line[128];
    __pipeline_memcpy_async(&line[threadIdx.x], &in[threadIdx.x], sizeof(float)); // expect: group-copy-no-wait
    __pipeline_commit();
    __syncthreads();
    out[map.place(threadIdx.x)] = line[127 - threadIdx.x];
}
