// A thread that dropped out waits with the token of the drop in the following round.
#include <cuda_awbarrier_primitives.h>

__global__ void rounds(float *data, int steps)
{
    __shared__ __mbarrier_t step;
    if (threadIdx.x == 0)
        __mbarrier_init(&step, 64);
    __syncthreads();
    for (int i = 0; i < 4; ++i) {
        __mbarrier_token_t token;
        if (threadIdx.x >= 32 && i == 2)
            token = __mbarrier_arrive_and_drop(&step);
        else
            token = __mbarrier_arrive(&step); // expect: exit-drop-then-use
        data[threadIdx.x] *= 0.5f;
        if (threadIdx.x < 32) {
            while (!__mbarrier_test_wait(&step, token)) {
            }
        }
        __syncthreads();
    }
}

void run(float *data)
{
    rounds<<<1, 64>>>(data, 4);
}
