// A record in shared memory holds the pointers of eight peers and the tiles of a ring. Threads fill
// in as many pointers as there are peers, through a variable that the array's name has become: what
// lies behind the eighth is a tile, and no thread means that one.
#include <cstdint>

struct storage {
    uint64_t full[4], empty[4];
    float *peer[8];
    alignas(128) float tile[4][256];
};

__device__ inline uint32_t shared_address(const void *at)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(at));
}

__device__ inline void wait(uint64_t *barrier, uint32_t parity)
{
    uint32_t over = 0;
    while (!over)
        asm volatile("{\n"
                     ".reg .pred p;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                     "selp.u32 %0, 1, 0, p;\n"
                     "}"
                     : "=r"(over)
                     : "r"(shared_address(barrier)), "r"(parity)
                     : "memory");
}

__global__ void scatter_rows(float **peers, int ranks, const float *rows, const int *owner, int n)
{
    extern __shared__ __align__(128) unsigned char raw[];
    storage &s = *reinterpret_cast<storage *>(raw);
    float **peer = s.peer;
    uint64_t *full = s.full, *empty = s.empty;
    if (threadIdx.x == 0) {
        for (int i = 0; i < 4; ++i) {
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(full + i))
                         : "memory");
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 96;" ::"r"(shared_address(empty + i))
                         : "memory");
        }
    }
    if (threadIdx.x < ranks)
        peer[threadIdx.x] = peers[threadIdx.x];
    __syncthreads();
    if (threadIdx.x >= 96) {
        if (threadIdx.x > 96)
            return;
        int stage = 0, parity = 1;
        for (int i = blockIdx.x; i < n; i += gridDim.x) {
            wait(empty + stage, parity);
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 1024;" ::"r"(
                             shared_address(full + stage))
                         : "memory");
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                         "[%0], [%1], 1024, [%2];" ::"r"(shared_address(s.tile[stage])),
                         "l"(rows + i * 256), "r"(shared_address(full + stage))
                         : "memory");
            stage = (stage + 1) % 4;
            parity ^= stage == 0;
        }
    } else {
        int stage = 0, parity = 0;
        for (int i = blockIdx.x; i < n; i += gridDim.x) {
            wait(full + stage, parity);
            float *to = peer[owner[i]];
            for (int j = threadIdx.x; j < 256; j += 96)
                to[i * 256 + j] = s.tile[stage][j];
            asm volatile(
                "mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(empty + stage))
                : "memory");
            stage = (stage + 1) % 4;
            parity ^= stage == 0;
        }
    }
}

void run(float **peers, int ranks, const float *rows, const int *owner, int n)
{
    scatter_rows<<<64, 128, sizeof(storage)>>>(peers, ranks, rows, owner, n);
}
