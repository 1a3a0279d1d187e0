// The issuing thread fences before the barrier, when the stores of the others are not known yet.
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void negate(const int *in, int *out)
{
    __shared__ alignas(16) int line[128];
    line[threadIdx.x] = -in[threadIdx.x];
    if (threadIdx.x == 0)
        ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk( // expect: tx-proxy-fence
            ptx::space_global, ptx::space_shared, out, line, sizeof(line));
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});
    }
}

// One warp fences, the other one writes too.
__global__ void negate_asm(const int *in, int *out)
{
    __shared__ alignas(16) int line[64];
    line[threadIdx.x] = -in[threadIdx.x];
    if (threadIdx.x < 32)
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile( // expect: tx-proxy-fence
            "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out),
            "r"(static_cast<unsigned>(__cvta_generic_to_shared(line))), "r"(256)
            : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
}

void launch(const int *in, int *out)
{
    negate<<<1, 128>>>(in, out);
    negate_asm<<<1, 64>>>(in, out);
}
