// pedantic: advice on speed
#include <cstdint>
#include <cuda/ptx>

__device__ inline void wait(uint32_t address, uint32_t parity)
{
    asm volatile("{\n"
                 ".reg .pred done;\n"
                 "again:\n"
                 "mbarrier.test_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@!done bra again;\n"
                 "}" ::"r"(address),
                 "r"(parity)
                 : "memory");
}

__global__ void reverse(const float *__restrict__ in, float *__restrict__ out, int rounds)
{
    __shared__ float line[128];
    __shared__ uint64_t stored;
    if (threadIdx.x == 0)
        cuda::ptx::mbarrier_init(&stored, 128);
    __syncthreads();
    const uint32_t address = static_cast<uint32_t>(__cvta_generic_to_shared(&stored));
    line[threadIdx.x] = in[threadIdx.x];
    cuda::ptx::mbarrier_arrive(&stored);
    wait(address, 0); // expect: perf-test-wait-spin
    out[threadIdx.x] = line[127 - threadIdx.x];
}

void run(const float *in, float *out, int rounds)
{
    reverse<<<1, 128>>>(in, out, rounds);
}
