// The clean-up of the first pass stands inside the loop over the passes.
#include <cuda/barrier>
#include <utility>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void passes(float *data)
{
    __shared__ block_barrier done;
    __shared__ float line[64];
    if (threadIdx.x == 0)
        init(&done, 64);
    __syncthreads();
    for (int pass = 0; pass < 3; ++pass) {
        line[threadIdx.x] = data[threadIdx.x];
        auto token = done.arrive(); // expect: init-use-after-inval
        done.wait(std::move(token));
        data[threadIdx.x] = 0.5f * (line[threadIdx.x] + line[63 - threadIdx.x]);
        __syncthreads();
        if (threadIdx.x == 0)
            done.~block_barrier();
        __syncthreads();
    }
}

void run(float *data)
{
    passes<<<1, 64>>>(data);
}
