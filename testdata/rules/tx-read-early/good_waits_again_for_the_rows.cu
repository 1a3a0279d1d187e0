// Behind its wait for the table each warp waits for all others; in the loop, for rows of its own.
#include <cuda_pipeline_primitives.h>

constexpr int warps = 8, table_size = 1024;

__global__ void gather(const float *__restrict__ table, const float *__restrict__ rows,
                       float *__restrict__ out, int count)
{
    __shared__ alignas(16) float shared_table[table_size];
    __shared__ alignas(16) float row[warps][128];
    const int warp = threadIdx.y, lane = threadIdx.x, first = blockIdx.x * warps + warp;
    for (int i = warp; i < table_size / 128; i += warps)
        __pipeline_memcpy_async(&shared_table[i * 128 + lane * 4], &table[i * 128 + lane * 4], 16);
    __pipeline_commit();
    if (first < count)
        __pipeline_memcpy_async(&row[warp][lane * 4], &rows[first * 128 + lane * 4], 16);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    for (int i = first; i < count; i += warps * gridDim.x) {
        __pipeline_wait_prior(0);
        float sum = row[warp][lane * 4];
        if (i + warps * gridDim.x < count)
            __pipeline_memcpy_async(&row[warp][lane * 4],
                                    &rows[(i + warps * gridDim.x) * 128 + lane * 4], 16);
        __pipeline_commit();
        for (int k = 0; k < table_size; k += 32)
            sum += shared_table[k + lane];
        out[i * 32 + lane] = sum;
    }
}

void run(const float *table, const float *rows, float *out, int count)
{
    gather<<<132, dim3(32, warps)>>>(table, rows, out, count);
}
