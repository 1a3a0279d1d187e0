// Initialisation happens before a drop.
#include <cuda_awbarrier_primitives.h>

__global__ void meet(const float *in, float *out)
{
    __shared__ __mbarrier_t stored;
    __shared__ float line[128];
    line[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x >= 64) {
        __mbarrier_arrive_and_drop(&stored); // expect: arrive-divergent
        return;
    }
    if (threadIdx.x == 0)
        __mbarrier_init(&stored, 128); // expect: init-no-sync
    __mbarrier_token_t token = __mbarrier_arrive(&stored);
    while (!__mbarrier_test_wait(&stored, token)) {
    }
    out[threadIdx.x] = line[127 - threadIdx.x];
}

void launch(const float *in, float *out)
{
    meet<<<1, 128>>>(in, out);
}
