// The warp of the thread that invalidates has come, and no other warp needs to have seen the end of
// the phase.
#include <cuda_awbarrier_primitives.h>

__global__ void reverse(const float *in, float *out)
{
    __shared__ __mbarrier_t stored;
    __shared__ float line[256];
    if (threadIdx.x == 0)
        __mbarrier_init(&stored, blockDim.x);
    __syncthreads();
    line[threadIdx.x] = in[threadIdx.x];
    __mbarrier_token_t token = __mbarrier_arrive(&stored);
    while (!__mbarrier_test_wait(&stored, token)) {
    }
    out[threadIdx.x] = line[255 - threadIdx.x];
    __syncwarp();
    if (threadIdx.x == 0)
        __mbarrier_inval(&stored); // expect: init-use-after-inval
}

void run(const float *in, float *out)
{
    reverse<<<1, 256>>>(in, out);
}
