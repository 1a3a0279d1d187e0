#include <cuda_pipeline.h>

__global__ void sums(const float4 *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ float4 tile[2][128];
    nvcuda::experimental::pipeline pipe;
    float sum = 0.0f;
    nvcuda::experimental::memcpy_async(tile[0][threadIdx.x], in[threadIdx.x], pipe);
    pipe.commit();
    for (int t = 0; t < tiles; ++t) {
        if (t + 1 < tiles)
            nvcuda::experimental::memcpy_async(tile[(t + 1) % 2][threadIdx.x],
                                               in[(t + 1) * 128 + threadIdx.x], pipe);
        pipe.commit();
        pipe.wait_prior<1>();
        __syncthreads();
        sum += tile[t % 2][127 - threadIdx.x].x;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

void run(const float4 *in, float *out, int tiles)
{
    sums<<<1, 128>>>(in, out, tiles);
}
