// The length is held against another word than the one that the barrier depends on, or against what
// it was before it changed.
#include <cuda_runtime.h>

__global__ void checked(const int *head, const float *in, float *out, int length)
{
    __shared__ float line[128];
    if (length != head[0])
        __trap();
    if (length > 0)
        line[threadIdx.x] = in[threadIdx.x];
    if (head[1] > 0)
        __syncthreads();
    if (length > 0)
        out[threadIdx.x] = line[127 - threadIdx.x]; // expect: sync-missing
}

__global__ void changed(int *head, const float *in, float *out, int length)
{
    __shared__ float line[128];
    if (length != head[blockIdx.x])
        __trap();
    __syncthreads();
    if (threadIdx.x == 0)
        atomicSub(&head[blockIdx.x], 8);
    __syncthreads();
    if (length > 0)
        line[threadIdx.x] = in[threadIdx.x];
    if (head[blockIdx.x] > 0)
        __syncthreads();
    if (length > 0)
        out[threadIdx.x] = line[127 - threadIdx.x]; // expect: sync-missing
}

__global__ void assumed(const int *head, const float *in, float *out, int length)
{
    __shared__ float line[128];
    __builtin_assume(length >= head[blockIdx.x]);
    if (length > 0)
        line[threadIdx.x] = in[threadIdx.x];
    if (head[blockIdx.x] > 0)
        __syncthreads();
    if (length > 0)
        out[threadIdx.x] = line[127 - threadIdx.x]; // expect: sync-missing
}

void launch(int *head, const float *in, float *out, int length)
{
    checked<<<1, 128>>>(head, in, out, length);
    changed<<<4, 128>>>(head, in, out, length);
    assumed<<<4, 128>>>(head, in, out, length);
}
