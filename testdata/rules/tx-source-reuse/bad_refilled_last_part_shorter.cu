// Two buffers carry a piece of memory to another place; the last part of it may be shorter. Before a
// buffer is filled again, all groups but the newest are waited for: the newest is the one that reads
// this buffer.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int BUFFERS = 2, PART = 2048;

__device__ void fetch(char *to, const char *from, unsigned bytes, uint64_t *full)
{
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, to, from, bytes, full); // expect: tx-source-reuse
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full,
                                   bytes);
}

__global__ void move(const char *in, char *out, int bytes)
{
    __shared__ alignas(128) char buffer[BUFFERS][PART];
    __shared__ uint64_t full[BUFFERS];
    if (threadIdx.x != 0)
        return;
    for (int i = 0; i < BUFFERS; ++i)
        ptx::mbarrier_init(&full[i], 1);
    ptx::fence_proxy_async(ptx::space_shared);
    const int parts = (bytes + PART - 1) / PART;
    for (int i = 0; i < BUFFERS && i < parts; ++i)
        fetch(buffer[i], in + i * PART, min(PART, bytes - i * PART), &full[i]);
    for (int i = 0; i < parts; ++i) {
        const int at = i % BUFFERS, next = i + BUFFERS;
        while (!ptx::mbarrier_try_wait_parity(&full[at], (i / BUFFERS) & 1)) {
        }
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + i * PART, buffer[at],
                           min(PART, bytes - i * PART));
        ptx::cp_async_bulk_commit_group();
        if (next < parts) {
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<BUFFERS - 1>{});
            fetch(buffer[at], in + next * PART, min(PART, bytes - next * PART), &full[at]);
        }
    }
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
}

void run(const char *in, char *out, int vectors)
{
    move<<<1, 32>>>(in, out, vectors * 16);
}
