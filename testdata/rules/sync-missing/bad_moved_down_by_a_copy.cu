// Each thread takes the vector of one further up into its own place, by one assignment.
#include <cuda_runtime.h>

__global__ void move_down(const float4 *in, float4 *out)
{
    __shared__ float4 row[128];
    row[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 64)
        row[threadIdx.x] = row[threadIdx.x + 32]; // expect: sync-missing
    __syncthreads();
    out[threadIdx.x] = row[127 - threadIdx.x];
}

void run(const float4 *in, float4 *out)
{
    move_down<<<1, 128>>>(in, out);
}
