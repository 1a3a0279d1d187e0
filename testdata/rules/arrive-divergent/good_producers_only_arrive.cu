// Two roles: the producers arrive and never wait, the consumers wait and never arrive; the count is
// that of the producers.
#include <cuda_awbarrier_primitives.h>

__device__ void publish(__mbarrier_t *ready, float *slot, float value)
{
    *slot = value;
    (void)__mbarrier_arrive(ready);
}

__global__ void forward(const float *__restrict__ in, float *__restrict__ out, bool twice)
{
    __shared__ __mbarrier_t first, second;
    __shared__ float line[64];
    if (threadIdx.x == 0) {
        __mbarrier_init(&first, 64);
        __mbarrier_init(&second, 64);
    }
    __syncthreads();
    if (threadIdx.x < 64) {
        publish(&first, &line[threadIdx.x], in[threadIdx.x]);
        if (twice) // the same for the whole grid
            publish(&second, &line[threadIdx.x], 2.0f * in[threadIdx.x]);
    } else {
        while (!__mbarrier_test_wait_parity(&first, false)) {
        }
        if (twice) {
            while (!__mbarrier_test_wait_parity(&second, false)) {
            }
        }
        out[threadIdx.x - 64] = line[127 - threadIdx.x];
    }
}

void run(const float *in, float *out, bool twice)
{
    forward<<<1, 128>>>(in, out, twice);
}
