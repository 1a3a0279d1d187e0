// A helper has thread 0 clear the sum that the threads of all warps add to, with its one barrier
// only behind: it is told of within the helper, not at its call.
#include <cuda_runtime.h>

__device__ void entropy(const unsigned *bins, float *sum, int rows, int classes)
{
    if (threadIdx.x == 0)
        sum[0] = 0.0f;
    if (threadIdx.x < classes) {
        const float share = (float)bins[threadIdx.x] / rows;
        atomicAdd(sum, -share * logf(share + 1e-9f)); // expect: sync-missing
    }
    __syncthreads();
}

__global__ void node_entropy(const unsigned *label, float *out, int rows, int classes)
{
    __shared__ unsigned bins[128];
    __shared__ float sum;
    bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < rows; i += 128)
        atomicAdd(&bins[label[blockIdx.x * rows + i]], 1u);
    __syncthreads();
    entropy(bins, &sum, rows, classes);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

void launch(const unsigned *label, float *out, int nodes, int rows, int classes)
{
    node_entropy<<<nodes, 128>>>(label, out, rows, classes);
}
