// The boundary of the image lies within a warp; both arms have their barrier.
#include <cuda_runtime.h>

__device__ void load_inner(float *line, const float *in)
{
    line[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
}

__device__ void load_border(float *line)
{
    line[threadIdx.x] = 0.0f;
    __syncthreads(); // expect: sync-two-sites
}

__global__ void blur(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float line[128];
    if (threadIdx.x < 100)
        load_inner(line, in);
    else
        load_border(line);
    out[threadIdx.x] = 0.5f * (line[threadIdx.x] + line[threadIdx.x ^ 1]);
}

void run(const float *in, float *out)
{
    blur<<<1, 128>>>(in, out);
}
