// The older of two batches is waited for, as it should be; the newer stays open at its own wait.
#include <cuda_pipeline.h>

using pipeline_t = nvcuda::experimental::pipeline;

__global__ void sums(const float4 *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ float4 tile[2][128];
    pipeline_t pipe;
    float sum = 0.0f;
    size_t batch[2];
    nvcuda::experimental::memcpy_async(tile[0][threadIdx.x], in[threadIdx.x], pipe);
    batch[0] = pipe.commit();
    for (int t = 0; t < tiles; ++t) {
        if (t + 1 < tiles) {
            nvcuda::experimental::memcpy_async(tile[(t + 1) % 2][threadIdx.x],
                                               in[(t + 1) * 128 + threadIdx.x], pipe);
            batch[(t + 1) % 2] = pipe.commit();
        }
        pipe.wait(batch[t % 2]); // expect: port-removed-api
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
