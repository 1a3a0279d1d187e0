#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline_primitives.h>

__global__ void reverse(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ alignas(16) float tile[512];
    __shared__ __mbarrier_t full;
    if (threadIdx.x == 0)
        __mbarrier_init(&full, 128);
    __syncthreads();
    for (int t = 0; t < tiles; ++t) {
        __pipeline_memcpy_async(&tile[threadIdx.x * 4], &in[t * 512 + threadIdx.x * 4], 16);
        __pipeline_arrive_on(&full);
        const __mbarrier_token_t token = __mbarrier_arrive(&full);
        while (!__mbarrier_test_wait(&full, token)) {
        }
        for (int i = threadIdx.x; i < 512; i += 128)
            out[t * 512 + i] = tile[511 - i];
        __syncthreads();
    }
}

void run(const float *in, float *out, int tiles)
{
    reverse<<<1, 128>>>(in, out, tiles);
}
