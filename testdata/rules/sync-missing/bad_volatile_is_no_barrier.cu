// `volatile` makes each access go to memory, and makes no warp wait for another one.
#include <cuda_runtime.h>

__global__ void turn(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ volatile float row[128];
    row[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = row[127 - threadIdx.x]; // expect: sync-missing
}

__global__ void sum(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float part[128];
    volatile float *cell = part;
    cell[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int half = 64; half > 0; half >>= 1) {
        if (threadIdx.x < half)
            cell[threadIdx.x] += cell[threadIdx.x + half]; // expect: sync-missing
    }
    if (threadIdx.x == 0)
        out[0] = cell[0];
}

void run(const float *in, float *out)
{
    turn<<<1, 128>>>(in, out);
    sum<<<1, 128>>>(in, out);
}
