// Groups of threads sum up an item each. How wide they are the host chooses, and with one choice a
// group has threads of two warps: the first step then reads what another warp may not have stored.
#include <cuda_runtime.h>

__device__ void sum_up(float *shared, unsigned width, unsigned mask)
{
    for (unsigned step = width / 2; step > 0; step /= 2) {
        if ((threadIdx.x & mask) < step)
            shared[threadIdx.x] += shared[threadIdx.x + step];
        __syncthreads();
    }
}

__global__ void items(const float *in, float *out, unsigned count, unsigned width, unsigned mask,
                      unsigned groups)
{
    extern __shared__ float part[];
    const unsigned item = blockIdx.x * groups + threadIdx.x / width;
    part[threadIdx.x] = item < count ? in[item * width + (threadIdx.x & mask)] : 0;
    for (unsigned step = width / 2; step > 0; step /= 2) {
        if ((threadIdx.x & mask) < step)
            part[threadIdx.x] += part[threadIdx.x + step]; // expect: sync-missing
        __syncthreads();
    }
    if ((threadIdx.x & mask) == 0 && item < count)
        out[item] = part[threadIdx.x];
}

void sum_items(const float *in, float *out, unsigned count)
{
    unsigned groups = 1;
    if (count / 4 >= 100)
        groups = 4;
    else if (count / 2 >= 100)
        groups = 2;
    const unsigned threads = 64, width = threads / groups;
    items<<<(count + groups - 1) / groups, threads, threads * sizeof(float)>>>(
        in, out, count, width, width - 1, groups);
}

// The same of two launches, each with numbers of its own.
__global__ void rows(const float *in, float *out, unsigned width, unsigned mask)
{
    __shared__ float part[64];
    part[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    if ((threadIdx.x & mask) < width / 2)
        part[threadIdx.x] += part[threadIdx.x + width / 2]; // expect: sync-missing
    __syncthreads();
    sum_up(part, width / 2, mask);
    if ((threadIdx.x & mask) == 0)
        out[(blockIdx.x * 64 + threadIdx.x) / width] = part[threadIdx.x];
}

void sum_rows(const float *in, float *out, unsigned blocks, bool wide)
{
    if (wide)
        rows<<<blocks, 64>>>(in, out, 64, 63);
    else
        rows<<<blocks, 64>>>(in, out, 32, 31);
}
