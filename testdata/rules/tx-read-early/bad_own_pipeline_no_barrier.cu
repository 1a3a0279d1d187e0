#include <cuda/pipeline>

// A thread waits for what it has copied itself, and reads what its neighbour copies.
__global__ void reverse(const int *in, int *out)
{
    __shared__ int line[128];
    auto own = cuda::make_pipeline();
    own.producer_acquire();
    cuda::memcpy_async(&line[threadIdx.x], &in[threadIdx.x], sizeof(int), own);
    own.producer_commit();
    own.consumer_wait();
    out[threadIdx.x] = line[127 - threadIdx.x]; // expect: tx-read-early
    own.consumer_release();
}

__global__ void reverse_by_number(const int *in, int *out)
{
    __shared__ int line[128];
    cuda::pipeline<cuda::thread_scope_thread> own = cuda::make_pipeline();
    cuda::memcpy_async(&line[threadIdx.x], &in[threadIdx.x], cuda::aligned_size_t<4>(4), own);
    own.producer_commit();
    cuda::pipeline_consumer_wait_prior<0>(own);
    out[threadIdx.x] = line[127 - threadIdx.x]; // expect: tx-read-early
}

void run(const int *in, int *out)
{
    reverse<<<1, 128>>>(in, out);
    reverse_by_number<<<1, 128>>>(in, out);
}
