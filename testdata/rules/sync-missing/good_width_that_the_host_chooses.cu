// Groups of threads sum up an item each. How wide they are the host chooses, but no choice makes a
// group of threads of two warps: the lanes of one warp have to wait for each other alone.
#include <cuda_runtime.h>

__global__ void items(const float *in, float *out, unsigned count, unsigned width, unsigned mask,
                      unsigned groups)
{
    extern __shared__ float part[];
    const unsigned item = blockIdx.x * groups + threadIdx.x / width;
    part[threadIdx.x] = item < count ? in[item * width + (threadIdx.x & mask)] : 0;
    __syncwarp();
    for (unsigned step = width / 2; step > 0; step /= 2) {
        if ((threadIdx.x & mask) < step)
            part[threadIdx.x] += part[threadIdx.x + step];
        __syncwarp();
    }
    if ((threadIdx.x & mask) == 0 && item < count)
        out[item] = part[threadIdx.x];
}

void sum_items(const float *in, float *out, unsigned count)
{
    unsigned groups = 2;
    if (count / 8 >= 100)
        groups = 8;
    else if (count / 4 >= 100)
        groups = 4;
    const unsigned threads = 64, width = threads / groups;
    items<<<(count + groups - 1) / groups, threads, threads * sizeof(float)>>>(
        in, out, count, width, width - 1, groups);
}

// Of two launches each passes what its own block needs.
__global__ void rows(const float *in, float *out, unsigned width, bool wide)
{
    __shared__ float part[64];
    part[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    if (wide)
        __syncthreads();
    else
        __syncwarp();
    if (threadIdx.x % width < width / 2)
        out[blockIdx.x * 64 + threadIdx.x] = part[threadIdx.x] + part[threadIdx.x + width / 2];
}

void halve(const float *in, float *out, unsigned blocks)
{
    rows<<<blocks, 64>>>(in, out, 64, true);
    rows<<<blocks, 64>>>(in, out, 32, false);
}

// The kernel asks for what the host has chosen the width by.
__global__ void columns(const float *in, float *out, unsigned count, unsigned width)
{
    __shared__ float part[64];
    part[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    if (count <= 100)
        __syncthreads();
    else
        __syncwarp();
    if (threadIdx.x % width < width / 2)
        out[blockIdx.x * 64 + threadIdx.x] = part[threadIdx.x] + part[threadIdx.x + width / 2];
}

void halve_columns(const float *in, float *out, unsigned count)
{
    unsigned width = 64;
    if (count > 100)
        width = 32;
    columns<<<count, 64>>>(in, out, count, width);
}
