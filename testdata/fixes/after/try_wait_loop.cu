// A test that nobody looks at becomes a wait.
#include <cstdint>
#include <cuda/ptx>
#include <cuda_awbarrier_primitives.h>

__global__ void cast_away(const float *in, float *out)
{
    __shared__ uint64_t stored;
    __shared__ float line[128];
    if (threadIdx.x == 0)
        cuda::ptx::mbarrier_init(&stored, 128);
    __syncthreads();
    line[threadIdx.x] = in[threadIdx.x];
    cuda::ptx::mbarrier_arrive(&stored);
    while (!cuda::ptx::mbarrier_try_wait_parity(&stored, 0)) {}
    out[threadIdx.x] = line[127 - threadIdx.x];
}

__global__ void by_token(const float *in, float *out)
{
    __shared__ __mbarrier_t stored;
    __shared__ float line[128];
    if (threadIdx.x == 0)
        __mbarrier_init(&stored, 128);
    __syncthreads();
    line[threadIdx.x] = in[threadIdx.x];
    const __mbarrier_token_t token = __mbarrier_arrive(&stored);
    while (!__mbarrier_try_wait(&stored,
                        token, 1000)) {} // a microsecond
    out[threadIdx.x] = line[127 - threadIdx.x];
}

void launch(const float *in, float *out)
{
    cast_away<<<1, 128>>>(in, out);
    by_token<<<1, 128>>>(in, out);
}
