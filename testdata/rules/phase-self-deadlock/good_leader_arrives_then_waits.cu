#include <cuda_awbarrier_primitives.h>

__global__ void totals(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ __mbarrier_t summed;
    __shared__ int warp_sum[4];
    if (threadIdx.x == 0)
        __mbarrier_init(&summed, 4);
    __syncthreads();
    const int sum = __reduce_add_sync(0xffffffffu, in[blockIdx.x * 128 + threadIdx.x]);
    if (threadIdx.x % 32 == 0) {
        warp_sum[threadIdx.x / 32] = sum;
        const __mbarrier_token_t token = __mbarrier_arrive(&summed);
        if (threadIdx.x == 0) {
            while (!__mbarrier_try_wait(&summed, token, 100)) {
            }
            out[blockIdx.x] = warp_sum[0] + warp_sum[1] + warp_sum[2] + warp_sum[3];
        }
    }
}

void run(const int *in, int *out, int blocks)
{
    totals<<<blocks, 128>>>(in, out);
}
