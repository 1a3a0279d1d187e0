// One thread goes through as many elements as a size says: those that its own warp has not stored
// it reads without a barrier. The same from round to round, where the others store the next ones.
#include <cuda_runtime.h>

__global__ void sum(const float *in, float *out, int n)
{
    __shared__ float part[256];
    part[threadIdx.x] = threadIdx.x < n ? in[threadIdx.x] : 0;
    if (threadIdx.x == 0) {
        float all = 0;
        for (int i = 0; i < n; ++i)
            all += part[i]; // expect: sync-missing
        *out = all;
    }
}

__global__ void rows(const float *in, float *out, int columns, int count)
{
    extern __shared__ float row[];
    for (int y = blockIdx.x; y < count; y += gridDim.x) {
        if (threadIdx.x < columns)
            row[threadIdx.x] = in[y * columns + threadIdx.x]; // expect: sync-missing
        __syncthreads();
        if (threadIdx.x == 0) {
            float most = row[0];
            for (int x = 1; x < columns; ++x)
                most = fmaxf(most, row[x]);
            out[y] = most;
        }
    }
}

void launch(const float *in, float *out, int n, int count)
{
    sum<<<1, 256>>>(in, out, n);
    rows<<<8, 256, n * sizeof(float)>>>(in, out, n, count);
}
