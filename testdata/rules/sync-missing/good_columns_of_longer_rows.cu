// Rows have lengths of their own: threads whose row goes on bring its next column when all have
// read the one before. What a thread puts back where it alone has read before is its own, and what
// it learns from the others' words tells it whether they have done so.
#include <cuda_runtime.h>

__global__ void mirror(const float *__restrict__ value, const int *__restrict__ first,
                       const int *__restrict__ length, float *__restrict__ out, int columns)
{
    __shared__ float column[128];
    const int row = blockIdx.x * 128 + threadIdx.x;
    int at = first[row];
    const int end = at + length[row];
    for (int c = 0; c < columns; ++c, ++at) {
        if (at < end)
            column[threadIdx.x] = value[at];
        __syncthreads();
        out[(blockIdx.x * columns + c) * 128 + threadIdx.x] = column[127 - threadIdx.x];
        __syncthreads();
    }
}

__global__ void keep_positive(const float *__restrict__ value, float *__restrict__ out, int rounds)
{
    __shared__ float kept[128];
    kept[threadIdx.x] = 0;
    for (int r = 0; r < rounds; ++r) {
        const float old = kept[threadIdx.x];
        const float now = value[r * 128 + threadIdx.x];
        if (now > 0)
            kept[threadIdx.x] = old + now;
    }
    __syncthreads();
    out[threadIdx.x] = kept[127 - threadIdx.x];
}

void launch(const float *value, const int *first, const int *length, float *out, int columns,
            int blocks)
{
    mirror<<<blocks, 128>>>(value, first, length, out, columns);
    keep_positive<<<1, 128>>>(value, out, columns);
}
