// Each role makes the pipeline in a place of its own, and the consumers read the next row before they
// have waited for it.
#include <cooperative_groups.h>
#include <cuda/pipeline>

enum { WIDTH = 128, STAGES = 3 };

__global__ void running_sum(const float *__restrict__ in, float *__restrict__ out, int rows)
{
    __shared__ float row[STAGES][WIDTH];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
    auto block = cooperative_groups::this_thread_block();
    if (threadIdx.y == 1) {
        auto fill = cuda::make_pipeline(block, &state, cuda::pipeline_role::producer);
        for (int r = 0; r < rows; ++r) {
            fill.producer_acquire();
            cuda::memcpy_async(&row[r % STAGES][threadIdx.x], &in[r * WIDTH + threadIdx.x],
                               sizeof(float), fill);
            fill.producer_commit();
        }
    } else {
        float sum = 0;
        auto drain = cuda::make_pipeline(block, &state, cuda::pipeline_role::consumer);
        for (int r = 0; r < rows; ++r) {
            sum += row[r % STAGES][(threadIdx.x + 1) % WIDTH]; // expect: tx-read-early
            drain.consumer_wait();
            sum -= row[r % STAGES][threadIdx.x];
            out[r * WIDTH + threadIdx.x] = sum;
            drain.consumer_release();
        }
    }
}

void run(const float *in, float *out, int rows)
{
    running_sum<<<1, dim3(WIDTH, 2)>>>(in, out, rows);
}
