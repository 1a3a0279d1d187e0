// Every thread copies what there is for it and lets its copies arrive, also where there is nothing. The
// library's function gives the instruction an address of shared memory with no state space.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void mirror_rows(const float4 *__restrict__ in, float4 *__restrict__ out, int columns)
{
    __shared__ float4 row[96];
    __shared__ uint64_t here;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&here, 96);
    __syncthreads();
    if (threadIdx.x < columns) {
        const uint32_t to = static_cast<uint32_t>(__cvta_generic_to_shared(&row[threadIdx.x]));
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to),
                     "l"(in + blockIdx.x * columns + threadIdx.x)
                     : "memory");
    }
    ptx::cp_async_mbarrier_arrive_noinc(&here);
    while (!ptx::mbarrier_try_wait_parity(&here, 0)) {
    }
    if (threadIdx.x < columns)
        out[blockIdx.x * columns + threadIdx.x] = row[columns - 1 - threadIdx.x];
}

void run(const float4 *in, float4 *out, int blocks, int columns)
{
    if (columns <= 96)
        mirror_rows<<<blocks, 96>>>(in, out, columns);
}
