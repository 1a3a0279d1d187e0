#include <cuda/pipeline>

// Each thread has a pipeline of its own, two pieces ahead; the last ones are not waited for.
__global__ void by_number(const float4 *in, float4 *out, int pieces)
{
    __shared__ float4 piece[2][64];
    auto own = cuda::make_pipeline();
    for (int next = 0, p = 0; p < pieces; ++p) {
        for (; next < pieces && next < p + 2; ++next) {
            own.producer_acquire();
            cuda::memcpy_async(&piece[next % 2][threadIdx.x], &in[next * 64 + threadIdx.x],
                               cuda::aligned_size_t<16>(16), own);
            own.producer_commit();
        }
        cuda::pipeline_consumer_wait_prior<1>(own); // expect: pipe-unbalanced
        __syncthreads();
        out[p * 64 + threadIdx.x] = piece[p % 2][63 - threadIdx.x];
        __syncthreads();
        own.consumer_release();
    }
}

// The third piece goes where the first one is.
__global__ void in_turn(const float4 *in, float4 *out)
{
    __shared__ float4 piece[2][64];
    cuda::pipeline<cuda::thread_scope_thread> own = cuda::make_pipeline();
    for (int p = 0; p < 3; ++p) {
        own.producer_acquire();
        cuda::memcpy_async(&piece[p % 2][threadIdx.x], &in[p * 64 + threadIdx.x],
                           cuda::aligned_size_t<16>(16), own);
        own.producer_commit();
    }
    own.consumer_wait(); // expect: pipe-unbalanced
    __syncthreads();
    out[threadIdx.x] = piece[0][63 - threadIdx.x];
    own.consumer_release();
    own.consumer_wait();
    own.consumer_wait();
}

void run(const float4 *in, float4 *out, int pieces)
{
    by_number<<<1, 64>>>(in, out, pieces);
    in_turn<<<1, 64>>>(in, out);
}
