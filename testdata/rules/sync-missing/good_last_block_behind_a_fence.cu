// The block that comes last adds up what the others have written: each fences it before it counts
// itself, or counts itself by an operation that releases. The others here read what is their own.
#include <cuda/atomic>
#include <cuda_runtime.h>

__device__ unsigned int blocks_done;

__global__ void column_sums(const float *__restrict__ in, float *partial, float *out, int rows)
{
    __shared__ bool last;
    const int column = threadIdx.x;
    float sum = 0.0f;
    for (int row = blockIdx.x; row < rows; row += gridDim.x)
        sum += in[row * 256 + column];
    partial[blockIdx.x * 256 + column] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(&blocks_done, 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (!last)
        return;
    float total = 0.0f;
    for (unsigned int b = 0; b < gridDim.x; ++b)
        total += partial[b * 256 + column];
    out[column] = total;
    if (threadIdx.x == 0)
        blocks_done = 0;
}

__global__ void by_release(const float *__restrict__ in, float *partial, float *out,
                           unsigned int *done)
{
    __shared__ bool last;
    partial[blockIdx.x * 256 + threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x] * 0.5f;
    __syncthreads();
    if (threadIdx.x == 0) {
        cuda::atomic_ref<unsigned int, cuda::thread_scope_device> count(*done);
        last = count.fetch_add(1, cuda::std::memory_order_acq_rel) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        float total = 0.0f;
        for (unsigned int b = 0; b < gridDim.x; ++b)
            total += partial[b * 256 + threadIdx.x];
        out[threadIdx.x] = total;
    }
}

__global__ void own_part(const float *__restrict__ in, float *partial, float *out,
                         unsigned int *done)
{
    __shared__ bool last;
    partial[blockIdx.x * 256 + threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x] * 0.5f;
    if (threadIdx.x == 0)
        last = atomicAdd(done, 1) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        out[threadIdx.x] = partial[blockIdx.x * 256 + threadIdx.x];
        if (threadIdx.x == 0)
            *done = 0;
    }
}

__global__ void added_up(const float *__restrict__ in, float *sum, float *out, unsigned int *done)
{
    atomicAdd(&sum[threadIdx.x], in[blockIdx.x * 256 + threadIdx.x]);
    if (threadIdx.x == 0 && atomicAdd(done, 1) == gridDim.x - 1)
        *out = 1;
}

void run(const float *in, float *partial, float *out, unsigned int *done, int rows)
{
    column_sums<<<64, 256>>>(in, partial, out, rows);
    by_release<<<64, 256>>>(in, partial, out, done);
    own_part<<<64, 256>>>(in, partial, out, done);
    added_up<<<64, 256>>>(in, partial, out, done);
}
