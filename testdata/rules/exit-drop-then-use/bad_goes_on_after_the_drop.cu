// The second half has dropped out and comes to the last meeting all the same: one arrival too many
// of each, which is told here.
#include <cuda_awbarrier_primitives.h>
#include <cuda_runtime.h>

__device__ void meet(__mbarrier_t *barrier)
{
    __mbarrier_token_t token = __mbarrier_arrive(barrier); // expect: exit-drop-then-use
    while (!__mbarrier_try_wait(barrier, token, 1000)) {
    }
}

__global__ void halve(const float *in, float *out)
{
    __shared__ __mbarrier_t met;
    __shared__ float sum[128];
    if (threadIdx.x == 0)
        __mbarrier_init(&met, 128);
    __syncthreads();
    sum[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x >= 64)
        __mbarrier_arrive_and_drop(&met);
    else
        meet(&met);
    if (threadIdx.x < 64)
        sum[threadIdx.x] += sum[threadIdx.x + 64];
    meet(&met);
    out[threadIdx.x] = sum[63 - threadIdx.x % 64];
}

void launch(const float *in, float *out)
{
    halve<<<1, 128>>>(in, out);
}
