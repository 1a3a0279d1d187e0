// Dropping out of one stage's barrier says nothing about the other stage's.
#include <cuda/barrier>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

template <int Stages>
__global__ void leave_in_turn(float *data)
{
    __shared__ block_barrier stage[Stages];
    if (threadIdx.x < Stages)
        init(&stage[threadIdx.x], 64);
    __syncthreads();
    for (int s = 0; s < Stages; ++s) {
        data[s * 64 + threadIdx.x] *= 0.5f;
        if (threadIdx.x >= 32)
            stage[s].arrive_and_drop();
        else
            stage[s].arrive_and_wait();
    }
}

void run(float *data)
{
    leave_in_turn<2><<<1, 64>>>(data);
}
