// pedantic: how the lanes come together is the compiler's choice
#include <cuda_awbarrier_primitives.h>

__device__ __noinline__ float bend(float x)
{
    for (int i = 0; i < 8; ++i)
        x = x * x - 0.5f;
    return x;
}

__global__ void by_kind(const int *kind, float *cell)
{
    __shared__ __mbarrier_t done;
    __shared__ float line[128];
    if (threadIdx.x == 0)
        __mbarrier_init(&done, 128);
    __syncthreads();
    float value = cell[threadIdx.x];
    if (kind[threadIdx.x] == 2)
        value = bend(value);
    else
        value = bend(-value) + 1;
    line[threadIdx.x] = value;
    const __mbarrier_token_t token = __mbarrier_arrive(&done); // expect: perf-divergent-arrive
    while (!__mbarrier_try_wait(&done, token, 1000)) {
    }
    cell[threadIdx.x] = line[127 - threadIdx.x];
}

void launch(const int *kind, float *cell)
{
    by_kind<<<1, 128>>>(kind, cell);
}
