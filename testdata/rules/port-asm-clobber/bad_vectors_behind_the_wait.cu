// Vectors of four floats come asynchronously and are read behind a wait without a clobber: as nothing
// that the compiler sees stores them, it may read them in front of the wait.
#include <cstdint>
#include <cuda_runtime.h>

__device__ uint32_t place(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__global__ void reverse(const float4 *in, float4 *out)
{
    __shared__ float4 line[64];
    __shared__ uint64_t come;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 64;" ::"r"(place(&come)) : "memory");
    __syncthreads();
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(place(&line[threadIdx.x])),
                 "l"(in + blockIdx.x * 64 + threadIdx.x)
                 : "memory");
    asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(place(&come)) : "memory");
    asm volatile("{\n\t.reg .pred over;\n" // expect: port-asm-clobber
                 "again:\n\tmbarrier.try_wait.parity.shared::cta.b64 over, [%0], 0;\n\t"
                 "@!over bra again;\n\t}" ::"r"(place(&come)));
    out[blockIdx.x * 64 + threadIdx.x] = line[63 - threadIdx.x];
}

void launch(const float4 *in, float4 *out, int rows)
{
    reverse<<<rows, 64>>>(in, out);
}
