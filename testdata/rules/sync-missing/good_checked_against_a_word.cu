// The length is held against the word that the barrier depends on, as a check that aborts and as an
// assumption: who stores to the line comes to the barrier.
#include <cuda_runtime.h>

__global__ void checked(const int *head, const float *in, float *out, int length)
{
    __shared__ float line[128];
    if (length != head[0])
        __trap();
    if (length > 0)
        line[threadIdx.x] = in[threadIdx.x];
    if (head[0] > 0)
        __syncthreads();
    if (length > 0)
        out[threadIdx.x] = line[127 - threadIdx.x];
}

__global__ void assumed(const int *head, const float *in, float *out, int length)
{
    __shared__ float line[128];
    __builtin_assume(length == head[blockIdx.x]);
    if (length > 0)
        line[threadIdx.x] = in[threadIdx.x];
    if (head[blockIdx.x] > 0)
        __syncthreads();
    if (length > 0)
        out[threadIdx.x] = line[127 - threadIdx.x];
}

void launch(const int *head, const float *in, float *out, int length)
{
    checked<<<1, 128>>>(head, in, out, length);
    assumed<<<4, 128>>>(head, in, out, length);
}
