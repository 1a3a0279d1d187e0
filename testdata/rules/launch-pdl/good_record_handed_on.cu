// What the kernel before does not write is read early, out of the record that both are given.
#include <cuda_runtime.h>

struct row_sums {
    float *sum;
    const float *weight;
    int columns;
};

__global__ void add_rows(const float *in, row_sums rows)
{
    float sum = 0.0f;
    for (int i = 0; i < rows.columns; ++i)
        sum += in[(blockIdx.x * 64 + threadIdx.x) * rows.columns + i];
    rows.sum[blockIdx.x * 64 + threadIdx.x] = sum;
}

__global__ void weigh_rows(float *out, row_sums rows)
{
    int row = blockIdx.x * 64 + threadIdx.x;
    float weight = rows.weight[row];
    cudaGridDependencySynchronize();
    float sum = rows.sum[row];
    out[row] = out[row] + sum * weight;
}

void launch(const float *in, float *out, row_sums rows, int blocks, cudaStream_t stream)
{
    add_rows<<<blocks, 64, 0, stream>>>(in, rows);
    cudaLaunchAttribute early;
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(64);
    config.stream = stream;
    config.attrs = &early;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, weigh_rows, out, rows);
}
