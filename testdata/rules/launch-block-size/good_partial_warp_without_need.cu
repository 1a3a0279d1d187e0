// A warp that is not full is fine where nothing needs it whole.
#include <cuda_runtime.h>

__global__ void sums(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float line[48];
    line[threadIdx.x] = in[blockIdx.x * 48 + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        float sum = 0.0f;
        for (int i = 0; i < 48; ++i)
            sum += line[i];
        out[blockIdx.x] = sum;
    }
}

void run(const float *in, float *out)
{
    sums<<<16, 48>>>(in, out);
}
