// Each thread counts in a part of its own, whatever its data say: in a row of the table, or in a
// column. Two arrays of one piece do not meet either.
#include <cuda_runtime.h>

__global__ void in_rows(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ int count[16 * 128];
    for (int i = 0; i < 16; ++i)
        count[threadIdx.x * 16 + i] = 0;
    for (int i = 0; i < 16; ++i)
        ++count[threadIdx.x * 16 + (in[i * 128 + threadIdx.x] & 15)];
    int most = 0;
    for (int i = 0; i < 16; ++i)
        most = max(most, count[threadIdx.x * 16 + i]);
    out[threadIdx.x] = most;
}

__global__ void in_columns(const int *__restrict__ in, int *__restrict__ out, int n)
{
    __shared__ int count[16 * 128];
    for (int i = 0; i < 16; ++i)
        count[threadIdx.x + 128 * i] = 0;
    for (int i = threadIdx.x; i < n; i += 128)
        ++count[threadIdx.x + 128 * in[i]];
    int most = 0;
    for (int i = 0; i < 16; ++i)
        most = max(most, count[threadIdx.x + 128 * i]);
    out[threadIdx.x] = most;
}

__global__ void two_arrays(const int *__restrict__ in, int *__restrict__ out)
{
    extern __shared__ int piece[];
    int *table = piece, *own = piece + 128;
    own[threadIdx.x] = in[threadIdx.x];
    atomicAdd(&table[in[threadIdx.x]], 1);
    out[threadIdx.x] = own[threadIdx.x];
    __syncthreads();
    out[128 + threadIdx.x] = table[threadIdx.x];
}

__global__ void greatest(const int *__restrict__ in, int *__restrict__ out, int n)
{
    __shared__ int most;
    if (threadIdx.x == 0)
        most = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        atomicMax(&most, in[i]);
    __syncthreads();
    if (threadIdx.x == 0)
        out[blockIdx.x] = most;
}

void run(const int *in, int *out, int n)
{
    in_rows<<<1, 128>>>(in, out);
    in_columns<<<1, 128>>>(in, out, n);
    two_arrays<<<1, 128, 256 * sizeof(int)>>>(in, out);
    greatest<<<8, 128>>>(in, out, n);
}
