#include <cooperative_groups.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

__global__ void copy_rows(const float *__restrict__ in, float *__restrict__ out, int rows)
{
    __shared__ float row[2][128];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    if (rows == 0)
        return;
    for (int r = 0; r < rows; ++r) {
        pipe.producer_acquire();
        cuda::memcpy_async(&row[r % 2][threadIdx.x], &in[r * 128 + threadIdx.x], sizeof(float), pipe);
        pipe.producer_commit();
        pipe.consumer_wait();
        out[r * 128 + threadIdx.x] = row[r % 2][threadIdx.x];
        pipe.consumer_release();
        if (r == 5)
            return;
    }
}

void run(const float *in, float *out, int rows)
{
    copy_rows<<<8, 128>>>(in, out, rows);
}
