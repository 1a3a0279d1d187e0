// The same behind a barrier; who has the last element takes it itself; of two rows in turn the one
// that is read is not the one that is filled; and a launch that has no more than a warp to store.
#include <cuda_runtime.h>

__global__ void total(const int *count, int *all, int n)
{
    __shared__ int sums[256];
    int sum = 0;
    for (int i = 0; i <= threadIdx.x; ++i)
        sum += i < n ? count[i] : 0;
    sums[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0)
        *all = sums[n - 1];
}

__global__ void own(const int *count, int *all, int n)
{
    __shared__ int sums[256];
    sums[threadIdx.x] = count[threadIdx.x];
    if (threadIdx.x == n - 1)
        *all = sums[n - 1];
}

__global__ void step_by_step(const float *in, float *out, int n, int steps)
{
    __shared__ float row[2][128];
    for (int i = 0; i < steps; ++i) {
        row[i & 1][threadIdx.x] = in[i * 128 + threadIdx.x];
        __syncthreads();
        if (threadIdx.x == 0)
            out[i] = row[i & 1][n - 1];
    }
}

__global__ void front(const float *in, float *out, int n)
{
    __shared__ float row[128];
    row[threadIdx.x] = in[threadIdx.x];
    __syncwarp();
    if (threadIdx.x == 0)
        *out = row[n];
}

void launch(const int *count, int *all, const float *in, float *out, int n, int steps)
{
    total<<<1, 256>>>(count, all, n);
    own<<<1, 256>>>(count, all, n);
    step_by_step<<<1, 128>>>(in, out, n, steps);
    front<<<1, 128>>>(in, out, 31);
}
