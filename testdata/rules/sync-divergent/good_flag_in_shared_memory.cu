// Thread 0 decides, everybody reads the decision behind a barrier: whether the last block is done,
// whether to go on.
#include <cuda_runtime.h>

__device__ unsigned int finished;

__global__ void totals(const float *__restrict__ in, float *__restrict__ part,
                       float *__restrict__ out)
{
    __shared__ float line[128];
    __shared__ bool last;
    line[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s)
            line[threadIdx.x] += line[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        part[blockIdx.x] = line[0];
        __threadfence();
        last = atomicAdd(&finished, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        line[threadIdx.x] = threadIdx.x < gridDim.x ? part[threadIdx.x] : 0.0f;
        __syncthreads();
        if (threadIdx.x == 0) {
            float sum = 0.0f;
            for (int i = 0; i < 128; ++i)
                sum += line[i];
            *out = sum;
        }
    }
}

void run(const float *in, float *part, float *out)
{
    totals<<<64, 128>>>(in, part, out);
}
