// Every other stage is handed over only: whoever leaves then leaves with one in hand.
#include <cooperative_groups.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

__global__ void add_rows(const int *rows, int *out, int count)
{
    __shared__ int line[2][96];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    bool brings = threadIdx.x < 32;
    auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state,
                                    brings ? cuda::pipeline_role::producer
                                           : cuda::pipeline_role::consumer);
    int sum = 0;
    for (int r = 0; r < count; ++r) {
        if (brings) {
            pipe.producer_acquire(); // expect: pipe-unbalanced
            for (int i = threadIdx.x; i < 96; i += 32)
                line[r % 2][i] = rows[r * 96 + i];
            if (r % 2 == 1)
                pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            sum += line[r % 2][127 - threadIdx.x];
            pipe.consumer_release();
        }
    }
    if (!brings)
        out[blockIdx.x * 96 + threadIdx.x - 32] = sum;
}

void launch(const int *rows, int *out, int count)
{
    add_rows<<<4, 128>>>(rows, out, count);
}
