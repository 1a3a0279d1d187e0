// Templates that nothing here instantiates: what they call of their parameter may be the wait.
#include <cuda_pipeline.h>

template <typename Stage> __global__ void by_type(const float *in, float *out)
{
    __shared__ float line[128];
    __pipeline_memcpy_async(&line[threadIdx.x], &in[threadIdx.x], sizeof(float));
    __pipeline_commit();
    Stage::wait();
    __syncthreads();
    out[threadIdx.x] = line[127 - threadIdx.x];
}

template <typename Pipe> __device__ void drain(Pipe &pipe)
{
    pipe.consumer_wait();
}

template <typename Pipe> __global__ void by_object(Pipe pipe, const float *in, float *out)
{
    __shared__ float line[128];
    unsigned to = (unsigned)__cvta_generic_to_shared(&line[threadIdx.x]);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + threadIdx.x)
                 : "memory");
    drain(pipe);
    __syncthreads();
    out[threadIdx.x] = line[127 - threadIdx.x];
}
