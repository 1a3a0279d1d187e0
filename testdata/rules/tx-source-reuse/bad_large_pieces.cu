// Each block sends its share on by pieces of 32 KB, in two stages. With a third piece, which takes
// more than a megabyte in all, the stage is filled again while its last store still reads.
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr long long PIECE = 32736, BLOCKS = 16;

__device__ long long least(long long a, long long b)
{
    return a < b ? a : b;
}

__global__ void send_on(const char *__restrict__ in, char *__restrict__ out, long long bytes)
{
    extern __shared__ __align__(128) char stage[];
    __shared__ uint64_t full[2];
    if (threadIdx.x != 0)
        return;
    for (int s = 0; s < 2; ++s)
        ptx::mbarrier_init(&full[s], 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    long long share = (bytes / 32 + BLOCKS - 1) / BLOCKS * 32;
    long long from = blockIdx.x * share, to = least(from + share, bytes);
    long long pieces = (to - from + PIECE - 1) / PIECE;
    auto fetch = [&](long long piece) {
        int s = piece % 2;
        long long at = from + piece * PIECE;
        int size = (int)least(PIECE, to - at);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                       &full[s], size);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, // expect: tx-source-reuse
                           stage + s * PIECE, in + at, size, &full[s]);
    };
    for (long long piece = 0; piece < pieces; ++piece) {
        int s = piece % 2;
        if (piece < 2)
            fetch(piece);
        while (!ptx::mbarrier_try_wait_parity(&full[s], piece / 2 & 1)) {
        }
        long long at = from + piece * PIECE;
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + at, stage + s * PIECE,
                           (int)least(PIECE, to - at));
        ptx::cp_async_bulk_commit_group();
        if (piece + 2 < pieces) {
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<1>());
            fetch(piece + 2);
        }
    }
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}

void run(const char *in, char *out, long long rows)
{
    cudaFuncSetAttribute(send_on, cudaFuncAttributeMaxDynamicSharedMemorySize, 2 * PIECE);
    send_on<<<BLOCKS, 32, 2 * PIECE>>>(in, out, 32 * rows);
}
