// Weights are copied to shared memory as far as the size goes, and all threads use them at once:
// those of other warps may have yet to come. Whatever the size is, but 0, that is too early.
#include <cuda_runtime.h>

__global__ void weigh(const float *__restrict__ in, const float *__restrict__ weight,
                      float *__restrict__ out, int taps)
{
    extern __shared__ float local[];
    for (int i = threadIdx.x; i < taps; i += blockDim.x)
        local[i] = weight[i];
    float sum = 0;
    for (int k = 0; k < taps; ++k)
        sum += local[k] * in[blockIdx.x * blockDim.x + threadIdx.x + k]; // expect: sync-missing
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// The same with a size that is loaded, and a use that turns the order of the row around.
__global__ void turn_rows(const float *__restrict__ in, const int *__restrict__ begin,
                          float *__restrict__ out)
{
    __shared__ float row[512];
    const int first = begin[blockIdx.x], size = begin[blockIdx.x + 1] - first;
    for (int i = threadIdx.x; i < size; i += 128)
        row[i] = in[first + i];
    if (threadIdx.x < size)
        out[first + threadIdx.x] = row[threadIdx.x ^ 64]; // expect: sync-missing
}

// The second array begins where the first one ends.
__global__ void two_arrays(const float *__restrict__ in, float *__restrict__ out, int m, int n)
{
    extern __shared__ float piece[];
    float *low = piece, *high = piece + m;
    for (int i = threadIdx.x; i < m; i += blockDim.x)
        low[i] = in[i];
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        high[i] = in[m + i];
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        out[i] = low[0] + high[0]; // expect: sync-missing
}

// Rows of a width that only the launch knows: the first row is where it is all the same.
__global__ void sum_tile(const float *__restrict__ in, float *__restrict__ out, int width,
                         int height)
{
    extern __shared__ float tile[];
    for (int y = threadIdx.y; y < height; y += blockDim.y)
        for (int x = threadIdx.x; x < width; x += blockDim.x)
            tile[y * width + x] = in[y * width + x];
    float sum = 0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            sum += tile[y * width + x]; // expect: sync-missing
    out[threadIdx.y * blockDim.x + threadIdx.x] = sum;
}

void run(const float *in, const float *weight, const int *begin, float *out, int taps, int n)
{
    weigh<<<n / 256, 256, taps * sizeof(float)>>>(in, weight, out, taps);
    turn_rows<<<n, 128>>>(in, begin, out);
    two_arrays<<<n, 128, (taps + n) * sizeof(float)>>>(in, out, taps, n);
    sum_tile<<<1, dim3(16, 16), taps * n * sizeof(float)>>>(in, out, taps, n);
}
