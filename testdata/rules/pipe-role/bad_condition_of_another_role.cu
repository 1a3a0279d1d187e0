#include <cooperative_groups.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

__global__ void reverse(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ alignas(16) float tile[2][128];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    const bool produces = threadIdx.x < 32;
    auto pipe = cuda::make_pipeline(
        block, &state,
        produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    for (int t = 0; t < tiles; ++t) {
        if (threadIdx.x < 64) {
            pipe.producer_acquire(); // expect: pipe-role
            cuda::memcpy_async(cg::tiled_partition<32>(block), tile[t % 2], in + t * 128,
                               sizeof(tile[0]), pipe);
            pipe.producer_commit();
        }
        if (!produces) {
            pipe.consumer_wait();
            for (int i = threadIdx.x - 32; i < 128; i += 96)
                out[t * 128 + i] = tile[t % 2][127 - i];
            pipe.consumer_release();
        }
    }
}

void run(const float *in, float *out, int tiles)
{
    reverse<<<1, 128>>>(in, out, tiles);
}
