// One of two arrays is waited for; the other is copied afterwards.
#include <cstdint>

__device__ inline uint32_t smem(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__global__ void dot(const float *__restrict__ a, const float *__restrict__ b,
                    float *__restrict__ out)
{
    __shared__ alignas(16) float left[512], right[512];
    const int at = threadIdx.x * 4;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(smem(&left[at])), "l"(a + at)
                 : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(smem(&right[at])), "l"(b + at) // expect: group-copy-no-wait
                 : "memory");
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < 512; k += 128)
        sum += left[k + threadIdx.x] * right[k + threadIdx.x];
    out[threadIdx.x] = sum;
}

void run(const float *a, const float *b, float *out)
{
    dot<<<1, 128>>>(a, b, out);
}
