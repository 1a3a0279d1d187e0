// What a stage of a pipeline holds is there when a thread has waited for the stage.
#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;

__global__ void scale(const float *__restrict__ in, float *__restrict__ out, int rounds)
{
    __shared__ float line[2][128];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    pipe.producer_acquire();
    cuda::memcpy_async(block, line[0], in, sizeof(line[0]), pipe);
    pipe.producer_commit();
    for (int i = 0; i < rounds; ++i) {
        pipe.producer_acquire();
        if (i + 1 < rounds)
            cuda::memcpy_async(block, line[(i + 1) % 2], in + (i + 1) * 128, sizeof(line[0]), pipe);
        pipe.producer_commit();
        float value = line[i % 2][127 - threadIdx.x]; // expect: tx-read-early
        pipe.consumer_wait();
        out[i * 128 + threadIdx.x] = 2 * value;
        pipe.consumer_release();
    }
}

// Element by element, by a warp of its own; the others read the next stage.
__global__ void split(const float *__restrict__ in, float *__restrict__ out, int rounds)
{
    __shared__ float line[3][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> state;
    const auto role = threadIdx.x < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state, role);
    if (role == cuda::pipeline_role::producer) {
        for (int i = 0; i < rounds; ++i) {
            pipe.producer_acquire();
            for (int k = threadIdx.x; k < 64; k += 32)
                cuda::memcpy_async(&line[i % 3][k], &in[i * 64 + k], sizeof(float), pipe);
            pipe.producer_commit();
        }
    } else {
        for (int i = 0; i < rounds; ++i) {
            pipe.consumer_wait();
            out[i * 64 + threadIdx.x - 32] = line[(i + 1) % 3][threadIdx.x - 32]; // expect: tx-read-early
            pipe.consumer_release();
        }
    }
}

void launch(const float *in, float *out, int rounds)
{
    scale<<<1, 128>>>(in, out, rounds);
    split<<<1, 96>>>(in, out, rounds);
}
