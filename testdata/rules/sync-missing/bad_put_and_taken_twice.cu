// Each half lacks a barrier of its own: a value is taken before the others have put theirs, and one
// is put where others still take.
#include <cuda_runtime.h>

__device__ float take(const float *row, int i)
{
    return row[i]; // expect: sync-missing
}

__device__ void put(float *row, int i, float value)
{
    row[i] = value; // expect: sync-missing
}

__global__ void mix(const float *in, float *out)
{
    __shared__ float row[128];
    const int t = threadIdx.x;
    put(row, t, in[t]);
    float sum = take(row, 127 - t);
    __syncthreads();
    sum += take(row, (t + 33) & 127);
    put(row, t, sum);
    __syncthreads();
    out[t] = take(row, 127 - t);
}

void run(const float *in, float *out)
{
    mix<<<1, 128>>>(in, out);
}
