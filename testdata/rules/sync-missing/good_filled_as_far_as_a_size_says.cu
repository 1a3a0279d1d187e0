// Shared memory filled as far as a size goes: used behind a barrier, or by the thread that has
// filled it, or by a warp alone where no second one takes part.
#include <cuda_runtime.h>

__global__ void weigh(const float *__restrict__ in, const float *__restrict__ weight,
                      float *__restrict__ out, int taps)
{
    extern __shared__ float local[];
    for (int i = threadIdx.x; i < taps; i += blockDim.x)
        local[i] = weight[i];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < taps; ++k)
        sum += local[k] * in[blockIdx.x * blockDim.x + threadIdx.x + k];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void scale_rows(const float *__restrict__ in, const int *__restrict__ begin,
                           float *__restrict__ out)
{
    __shared__ float row[512];
    const int first = begin[blockIdx.x], size = begin[blockIdx.x + 1] - first;
    for (int i = threadIdx.x; i < size; i += 128)
        row[i] = in[first + i];
    for (int i = threadIdx.x; i < size; i += 128)
        out[first + i] = 2 * row[i];
}

// Only one of the two is there: with more than a warp of values, the barrier.
__global__ void turn(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float row[128];
    if (threadIdx.x < n)
        row[threadIdx.x] = in[threadIdx.x];
    if (n > 32)
        __syncthreads();
    else
        __syncwarp();
    if (threadIdx.x < n)
        out[threadIdx.x] = row[n - 1 - threadIdx.x];
}

// The threads below the bound store, those behind it read what nobody stores now.
__global__ void halves(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float kept[128];
    kept[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < n)
        kept[threadIdx.x] = in[128 + threadIdx.x];
    if (threadIdx.x + 32 >= n && threadIdx.x < 96)
        out[threadIdx.x] = kept[threadIdx.x + 32];
}

// A word that all threads count up ends the loop: whoever sees it late goes round once more.
__global__ void until_enough(int *__restrict__ data, int enough)
{
    __shared__ int rounds;
    if (threadIdx.x == 0)
        rounds = 0;
    __syncthreads();
    while (rounds < enough) {
        data[threadIdx.x] = data[threadIdx.x] * 5 + 1;
        atomicAdd(&rounds, 1);
    }
}

void run(const float *in, const float *weight, const int *begin, float *out, int *data, int taps,
         int n)
{
    weigh<<<n / 256, 256, taps * sizeof(float)>>>(in, weight, out, taps);
    scale_rows<<<n, 128>>>(in, begin, out);
    turn<<<1, 128>>>(in, out, n);
    halves<<<1, 128>>>(in, out, n);
    until_enough<<<1, 128>>>(data, n);
}
