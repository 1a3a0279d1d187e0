// Rows are staged in shared memory as vectors of four, and read back by other warps at once.
#include <cuda_runtime.h>

__global__ void flip(const float4 *__restrict__ in, float4 *__restrict__ out)
{
    __shared__ float4 row[128];
    row[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    const float4 v = row[127 - threadIdx.x]; // expect: sync-missing
    out[blockIdx.x * 128 + threadIdx.x] = make_float4(v.w, v.z, v.y, v.x);
}

void run(const float4 *in, float4 *out, int rows)
{
    flip<<<rows, 128>>>(in, out);
}
