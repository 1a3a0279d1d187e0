// Each warp says at a second barrier that it is through with the first one, and who invalidates
// that waits for all of them.
#include <cuda_awbarrier_primitives.h>

__device__ void wait(__mbarrier_t *bar)
{
    while (!__mbarrier_try_wait_parity(bar, false, 2000)) {
    }
}

__global__ void reverse(const float *in, float *out)
{
    __shared__ __mbarrier_t stored, left;
    __shared__ float line[256];
    if (threadIdx.x == 0) {
        __mbarrier_init(&stored, blockDim.x);
        __mbarrier_init(&left, blockDim.x / 32);
    }
    __syncthreads();
    line[threadIdx.x] = in[threadIdx.x];
    __mbarrier_arrive(&stored);
    wait(&stored);
    out[threadIdx.x] = line[255 - threadIdx.x];
    __syncwarp();
    if (threadIdx.x % 32 == 0)
        __mbarrier_arrive(&left);
    if (threadIdx.x == 64) {
        wait(&left);
        __mbarrier_inval(&stored);
    }
}

void run(const float *in, float *out)
{
    reverse<<<1, 256>>>(in, out);
}
