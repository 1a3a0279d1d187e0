// The wait for a phase reads shared memory behind it, and its assembly names registers only.
#include <cstdint>
#include <cuda/ptx>

__device__ inline uint32_t smem(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
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
    int done = 0;
    while (!done) {
        asm volatile("{\n" // expect: port-asm-clobber
                     ".reg .pred p;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n"
                     "selp.b32 %0, 1, 0, p;\n"
                     "}"
                     : "=r"(done)
                     : "r"(smem(&stored)));
    }
    out[threadIdx.x] = line[127 - threadIdx.x];
}

void run(const float *in, float *out)
{
    reverse<<<1, 128>>>(in, out);
}
