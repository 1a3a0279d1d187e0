// The row has 100 elements; the threads behind it quit and leave.
#include <cooperative_groups.h>
#include <cuda/pipeline>

__global__ void halve(float *row)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ float line[128];
    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state);
    if (threadIdx.x >= 100) {
        pipe.quit(); // expect: pipe-quit
        return;
    }
    pipe.producer_acquire();
    cuda::memcpy_async(&line[threadIdx.x], &row[threadIdx.x], sizeof(float), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    row[threadIdx.x] = line[threadIdx.x] / 2;
    pipe.consumer_release();
}

void launch(float *row)
{
    halve<<<1, 128>>>(row);
}
