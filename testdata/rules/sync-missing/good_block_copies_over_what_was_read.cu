#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
namespace cg = cooperative_groups;

// The block copies the next row when all have read the one before.
__global__ void sums(const float *in, float *out, int rows)
{
    __shared__ alignas(16) float row[512];
    __shared__ cuda::barrier<cuda::thread_scope_block> there;
    auto block = cg::this_thread_block();
    if (block.thread_rank() == 0)
        init(&there, block.size());
    block.sync();
    float sum = 0.0f;
    for (int r = 0; r < rows; ++r) {
        cuda::memcpy_async(block, row, in + r * 512,
                           cuda::aligned_size_t<16>(sizeof(row)), there);
        there.arrive_and_wait();
        for (int i = threadIdx.x; i < 512; i += 128)
            sum += row[511 - i];
        block.sync();
    }
    out[threadIdx.x] = sum;
}

// The same with a pipeline for each thread.
__global__ void differences(const float *in, float *out, int rows)
{
    __shared__ float row[128];
    auto own = cuda::make_pipeline();
    float sum = 0.0f;
    for (int r = 0; r < rows; ++r) {
        own.producer_acquire();
        cuda::memcpy_async(&row[threadIdx.x], &in[r * 128 + threadIdx.x],
                           sizeof(float), own);
        own.producer_commit();
        own.consumer_wait();
        __syncthreads();
        sum += row[threadIdx.x] - row[127 - threadIdx.x];
        own.consumer_release();
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

void run(const float *in, float *out, int rows)
{
    sums<<<1, 128>>>(in, out, rows);
    differences<<<1, 128>>>(in, out, rows);
}
