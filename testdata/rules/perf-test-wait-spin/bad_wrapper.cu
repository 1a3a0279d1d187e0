// pedantic: advice on speed
#include <cstdint>
#include <cuda/ptx>

__device__ inline bool is_over(uint32_t address, uint32_t parity)
{
    uint32_t over;
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                 "selp.b32 %0, 1, 0, p;\n"
                 "}"
                 : "=r"(over)
                 : "r"(address), "r"(parity)
                 : "memory");
    return over;
}

__global__ void reverse(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float line[128];
    __shared__ uint64_t stored;
    if (threadIdx.x == 0)
        cuda::ptx::mbarrier_init(&stored, 128);
    __syncthreads();
    line[threadIdx.x] = in[threadIdx.x];
    cuda::ptx::mbarrier_arrive(&stored);
    const uint32_t address = static_cast<uint32_t>(__cvta_generic_to_shared(&stored));
    while (!is_over(address, 0)) { // expect: perf-test-wait-spin
    }
    out[threadIdx.x] = line[127 - threadIdx.x];
}

void run(const float *in, float *out)
{
    reverse<<<1, 128>>>(in, out);
}
