// What stands under a bound is fenced behind it, and who has nothing to store fences as well. One
// way or the other fills the buffer; only one of them sends it.
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void gather(const int *__restrict__ in, const int *__restrict__ where, int *out,
                       int count)
{
    __shared__ alignas(16) int line[128];
    if (threadIdx.x < count)
        line[threadIdx.x] = in[where[threadIdx.x]];
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, line, sizeof(line));
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});
    }
    __syncthreads();
    ptx::fence_proxy_async(ptx::space_shared); // once more does no harm
}

__global__ void send_or_keep(const int *__restrict__ in, int *__restrict__ out, bool keep)
{
    __shared__ alignas(16) int line[128];
    if (keep)
        line[threadIdx.x] = in[threadIdx.x];
    else {
        line[threadIdx.x] = -in[threadIdx.x];
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
    if (keep)
        out[threadIdx.x] = line[127 - threadIdx.x];
    else if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out),
                     "r"(static_cast<unsigned>(__cvta_generic_to_shared(line))), "r"(512)
                     : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
}

void launch(const int *in, const int *where, int *out, int count, bool keep)
{
    gather<<<1, 128>>>(in, where, out, count);
    send_or_keep<<<1, 128>>>(in, out, keep);
}
