#include <cuda/pipeline>

// What a thread has waited for is there for the others behind a barrier.
__global__ void reverse(const int *in, int *out)
{
    __shared__ int line[128];
    auto own = cuda::make_pipeline();
    own.producer_acquire();
    cuda::memcpy_async(&line[threadIdx.x], &in[threadIdx.x], sizeof(int), own);
    own.producer_commit();
    own.consumer_wait();
    __syncthreads();
    out[threadIdx.x] = line[127 - threadIdx.x];
    own.consumer_release();
}

__global__ void reverse_by_number(const int *in, int *out)
{
    __shared__ int line[128];
    cuda::pipeline<cuda::thread_scope_thread> own = cuda::make_pipeline();
    cuda::memcpy_async(&line[threadIdx.x], &in[threadIdx.x], cuda::aligned_size_t<4>(4), own);
    own.producer_commit();
    cuda::pipeline_consumer_wait_prior<0>(own);
    __syncthreads();
    out[threadIdx.x] = line[127 - threadIdx.x];
}

void run(const int *in, int *out)
{
    reverse<<<1, 128>>>(in, out);
    reverse_by_number<<<1, 128>>>(in, out);
}
