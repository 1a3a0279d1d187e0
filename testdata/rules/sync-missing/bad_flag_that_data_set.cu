// Threads that find something in their data say so by a word, and all threads look at it at once.
#include <cuda_runtime.h>

__global__ void relax(float *values, const float *target, int rounds)
{
    __shared__ int changed;
    float value = values[threadIdx.x];
    for (int i = 0; i < rounds; ++i) {
        if (threadIdx.x == 0)
            changed = 0;
        __syncthreads();
        const float next = 0.5f * (value + target[threadIdx.x]);
        if (fabsf(next - value) > 1e-6f)
            changed = 1;
        value = next;
        if (!changed) // expect: sync-missing
            break;
        __syncthreads();
    }
    values[threadIdx.x] = value;
}

__global__ void first_negative(const float *in, float *out)
{
    __shared__ int place;
    if (threadIdx.x == 0)
        place = 0;
    __syncthreads();
    if (in[threadIdx.x] < 0.0f)
        place = threadIdx.x;
    out[threadIdx.x] = in[place * 256 + threadIdx.x]; // expect: sync-missing
}

__global__ void beside_the_bright_ones(const float *in, float *out)
{
    __shared__ float row[256];
    row[threadIdx.x] = 0.0f;
    __syncthreads();
    const float own = in[blockIdx.x * 256 + threadIdx.x];
    if (own > 0.5f)
        row[threadIdx.x] = own;
    const float left = threadIdx.x > 0 ? row[threadIdx.x - 1] : 0.0f; // expect: sync-missing
    out[blockIdx.x * 256 + threadIdx.x] = own + left;
}

void run(float *values, const float *target, float *out, int rounds)
{
    relax<<<1, 256>>>(values, target, rounds);
    first_negative<<<1, 256>>>(values, out);
    beside_the_bright_ones<<<8, 256>>>(values, out);
}
