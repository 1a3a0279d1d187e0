// The fence stands behind the barrier, where it is not the writers' any more.
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void negate(const int *in, int *out)
{
    __shared__ alignas(16) int line[128];
    line[threadIdx.x] = -in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::fence_proxy_async(ptx::space_shared);
        ptx::cp_async_bulk( // expect: tx-proxy-fence
            ptx::space_global, ptx::space_shared, out, line, sizeof(line));
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});
    }
}

// All threads fence, too late for what the others have written; and not all of them write.
__global__ void negate_asm(const int *__restrict__ in, int *__restrict__ out, int count)
{
    __shared__ alignas(16) int line[256];
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < count)
        line[threadIdx.x] = -in[i];
    __syncthreads();
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    if (threadIdx.x == 0) {
        asm volatile( // expect: tx-proxy-fence
            "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out +
                                                                                blockIdx.x * 256),
            "r"(static_cast<unsigned>(__cvta_generic_to_shared(line))), "r"(1024)
            : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
}

void launch(const int *in, int *out, int count)
{
    negate<<<1, 128>>>(in, out);
    negate_asm<<<(count + 255) / 256, 256>>>(in, out, count);
}
