// The wait for copies is not even volatile in its form: it has no outputs, and no clobber. What
// the thread has copied it reads itself, with no barrier in between.
#include <cstdint>

__device__ inline uint32_t smem(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__global__ void reverse(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ alignas(16) float tile[512];
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(smem(&tile[threadIdx.x * 4])),
                 "l"(in + threadIdx.x * 4)
                 : "memory");
    asm("cp.async.wait_all;"); // expect: port-asm-clobber
    for (int k = 0; k < 4; ++k)
        out[threadIdx.x * 4 + k] = tile[threadIdx.x * 4 + 3 - k];
}

void run(const float *in, float *out)
{
    reverse<<<1, 128>>>(in, out);
}
