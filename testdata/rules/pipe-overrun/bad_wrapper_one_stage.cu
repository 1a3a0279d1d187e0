#include <cooperative_groups.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

using block_pipe = cuda::pipeline<cuda::thread_scope_block>;

struct Feed {
    block_pipe &pipe;

    __device__ void fetch(float *to, const float *from)
    {
        pipe.producer_acquire(); // expect: pipe-overrun
        cuda::memcpy_async(cg::this_thread_block(), to, from, 128 * sizeof(float), pipe);
        pipe.producer_commit();
    }
    __device__ void open()
    {
        pipe.consumer_wait();
    }
    __device__ void close()
    {
        pipe.consumer_release();
    }
};

__global__ void reverse(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ alignas(16) float tile[1][128];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    Feed feed{pipe};
    feed.fetch(tile[0], in);
    for (int t = 1; t <= tiles; ++t) {
        if (t < tiles)
            feed.fetch(tile[0], in + t * 128);
        feed.open();
        out[t * 128 + threadIdx.x] = tile[0][127 - threadIdx.x];
        feed.close();
    }
}

void run(const float *in, float *out, int tiles)
{
    reverse<<<1, 128>>>(in, out, tiles);
}
