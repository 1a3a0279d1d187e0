// Rows have lengths of their own: threads whose row goes on bring its next column while warps still
// read the column before, mirrored.
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
            column[threadIdx.x] = value[at]; // expect: sync-missing
        __syncthreads();
        out[(blockIdx.x * columns + c) * 128 + threadIdx.x] = column[127 - threadIdx.x];
    }
}

void launch(const float *value, const int *first, const int *length, float *out, int columns,
            int blocks)
{
    mirror<<<blocks, 128>>>(value, first, length, out, columns);
}
