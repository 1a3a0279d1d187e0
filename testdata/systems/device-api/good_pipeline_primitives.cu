// Copies, a commit, a wait; and copies that an mbarrier is told of, by a thread that arrives too.
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>

__global__ void by_batches(const int4 *in, int4 *out)
{
    __shared__ int4 tile[2][128];
    __pipeline_memcpy_async(&tile[0][threadIdx.x], &in[threadIdx.x], 16);
    __pipeline_commit();
    __pipeline_memcpy_async(&tile[1][threadIdx.x], &in[128 + threadIdx.x], 16, 8);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    out[threadIdx.x] = tile[0][threadIdx.x];
    __pipeline_wait_prior(0);
    __syncthreads();
    out[128 + threadIdx.x] = tile[1][127 - threadIdx.x];
}

__global__ void by_barrier(const int4 *in, int4 *out)
{
    __shared__ int4 tile[128];
    __shared__ __mbarrier_t loaded;
    if (threadIdx.x == 0)
        __mbarrier_init(&loaded, 128);
    __syncthreads();
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 16);
    __pipeline_arrive_on(&loaded);
    const __mbarrier_token_t token = __mbarrier_arrive(&loaded);
    while (!__mbarrier_try_wait(&loaded, token, 1000)) {
    }
    out[threadIdx.x] = tile[127 - threadIdx.x];
}

void launch(const int4 *in, int4 *out)
{
    by_batches<<<1, 128>>>(in, out);
    by_barrier<<<1, 128>>>(in, out);
}
