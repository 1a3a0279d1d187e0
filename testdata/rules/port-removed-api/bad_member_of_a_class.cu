// The pipeline is a member, and the number of its batch another.
#include <cuda_pipeline.h>

struct Loader {
    nvcuda::experimental::pipeline pipe;
    size_t last;

    __device__ void start(float4 &to, const float4 &from)
    {
        nvcuda::experimental::memcpy_async(to, from, pipe);
        last = pipe.commit();
    }
    __device__ void finish() { pipe.wait(last); } // expect: port-removed-api
};

__global__ void reverse(const float4 *__restrict__ in, float *__restrict__ out)
{
    __shared__ float4 tile[64];
    Loader loader;
    loader.start(tile[threadIdx.x], in[threadIdx.x]);
    const float old = out[threadIdx.x];
    loader.finish();
    __syncthreads();
    out[threadIdx.x] = old + tile[63 - threadIdx.x].y;
}

void run(const float4 *in, float *out)
{
    reverse<<<1, 64>>>(in, out);
}
