// A thread that is done drops out of the barrier; thread 0 stays to the end.
#include <cuda/barrier>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void rounds(const int *__restrict__ need, float *__restrict__ data, int most)
{
    __shared__ block_barrier step;
    if (threadIdx.x == 0)
        init(&step, blockDim.x);
    __syncthreads();
    for (int i = 0; i < most; ++i) {
        if (threadIdx.x != 0 && i >= need[threadIdx.x]) {
            step.arrive_and_drop();
            break;
        }
        data[threadIdx.x] *= 0.5f;
        step.arrive_and_wait();
    }
    data[threadIdx.x] += 1.0f;
}

void run(const int *need, float *data)
{
    rounds<<<1, 128>>>(need, data, 10);
}
