// The host works the result out by itself, in loops within loops, before it launches: the numbers
// that it launches with are known all the same, and fill whole blocks.
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void multiply(const float *__restrict__ a, const float *__restrict__ b,
                         float *__restrict__ out, int size)
{
    __shared__ float row[512], column[512];
    const int at = threadIdx.y * 16 + threadIdx.x;
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < size && y < size) {
        float sum = 0.0f;
        for (int tile = 0; tile < size; tile += 16) {
            row[at] = a[y * size + tile + threadIdx.x];
            column[at] = b[(tile + threadIdx.y) * size + x];
            __syncthreads();
            for (int k = 0; k < 16; ++k)
                sum += row[threadIdx.y * 16 + k] * column[k * 16 + threadIdx.x];
            __syncthreads();
        }
        out[y * size + x] = sum;
    }
}

static void reference(const float *a, const float *b, float *out, int size)
{
    for (int y = 0; y < size; ++y) {
        for (int x = 0; x < size; ++x) {
            float sum = 0.0f;
            for (int k = 0; k < size; ++k)
                sum += a[y * size + k] * b[k * size + x];
            out[y * size + x] = sum;
        }
    }
}

int main()
{
    const int size = 512;
    const size_t bytes = size * size * sizeof(float);
    float *a = static_cast<float *>(malloc(bytes)), *b = static_cast<float *>(malloc(bytes));
    float *expected = static_cast<float *>(malloc(bytes)), *device;
    for (int i = 0; i < size * size; ++i)
        a[i] = b[i] = rand() / 1000.0f;
    reference(a, b, expected, size);
    cudaMalloc(&device, 3 * bytes);
    cudaMemcpy(device, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(device + size * size, b, bytes, cudaMemcpyHostToDevice);
    const dim3 block(16, 16), grid((size + 15) / 16, (size + 15) / 16);
    multiply<<<grid, block>>>(device, device + size * size, device + 2 * size * size, size);
    return cudaDeviceSynchronize() != cudaSuccess;
}
