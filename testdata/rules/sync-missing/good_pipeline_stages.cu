// All that is shared lies between the acquire and the commit of its stage, or between the wait and
// the release: roles, both roles in one, and a second pipeline that hands the results on.
#include <cooperative_groups.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

constexpr int width = 64, depth = 3;

__global__ void scale(const float *__restrict__ in, float *__restrict__ out, int rows)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, depth> raw, ready;
    __shared__ float loaded[depth][width], scaled[depth][width];
    auto block = cg::this_thread_block();
    auto inward = cuda::make_pipeline(block, &raw, (size_t)width);
    auto outward = cuda::make_pipeline(block, &ready, (size_t)width);
    int own = threadIdx.x % width;
    if (threadIdx.x < width) {
        for (int row = 0; row < rows; ++row) {
            inward.producer_acquire();
            loaded[row % depth][own] = in[row * width + own];
            inward.producer_commit();
            outward.consumer_wait();
            out[row * width + own] = scaled[row % depth][width - 1 - own];
            outward.consumer_release();
        }
    } else {
        for (int row = 0; row < rows; ++row) {
            inward.consumer_wait();
            float left = loaded[row % depth][own], right = loaded[row % depth][width - 1 - own];
            inward.consumer_release();
            outward.producer_acquire();
            scaled[row % depth][own] = left * 0.75f + right * 0.25f;
            outward.producer_commit();
        }
    }
}

__global__ void mirror(const float *__restrict__ in, float *__restrict__ out, int rows)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, depth> state;
    __shared__ float ring[depth][2 * width];
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    float sum = 0;
    for (int row = 0, ahead = 0; row < rows; ++row) {
        for (; ahead < rows && ahead < row + depth; ++ahead) {
            pipe.producer_acquire();
            ring[ahead % depth][threadIdx.x] = in[ahead * 2 * width + threadIdx.x];
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += ring[row % depth][2 * width - 1 - threadIdx.x];
        pipe.consumer_release();
    }
    block.sync();
    ring[0][threadIdx.x] = sum;
    block.sync();
    out[threadIdx.x] = ring[0][2 * width - 1 - threadIdx.x];
}

void run(const float *in, float *out, int rows)
{
    scale<<<8, 2 * width>>>(in, out, rows);
    mirror<<<8, 2 * width>>>(in, out, rows);
}
