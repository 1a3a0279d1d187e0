// The rows of a matrix are added up four tiles in a round, as a ring has four stages; the sums go out by
// a bulk store, and nobody has fenced the stores to them.
#include <cstdint>
#include <cuda_runtime.h>

constexpr unsigned stages = 4, tile = 64, threads = 64;

__device__ uint32_t place(const void *at)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(at));
}

__global__ void __launch_bounds__(threads + 32) add_rows(const float *__restrict__ in, float *out, unsigned columns, int rows)
{
    __shared__ alignas(128) float ring[stages][tile];
    __shared__ alignas(128) float sum[tile];
    __shared__ uint64_t full[stages], empty[stages];
    const unsigned tiles = columns / tile;
    if (threadIdx.x < stages) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(place(&full[threadIdx.x])) : "memory");
        asm volatile("mbarrier.init.shared.b64 [%0], 2;" ::"r"(place(&empty[threadIdx.x])) : "memory");
    }
    __syncthreads();
    auto in_rounds = [&](auto &&work) {
        for (unsigned first = 0; first < tiles; first += stages) {
            const unsigned here = min(stages, tiles - first);
            work(first, here);
        }
    };
    auto wait = [&](uint64_t *barrier, unsigned parity) {
        unsigned over = 0;
        while (!over)
            asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                         : "=r"(over) : "r"(place(barrier)), "r"(parity) : "memory");
    };
    unsigned done = 0;
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        if (threadIdx.x == threads) {
            in_rounds([&](unsigned first, unsigned here) {
                for (unsigned s = 0; s < here; ++s, ++done) {
                    uint64_t *barrier = &full[done % stages];
                    wait(&empty[done % stages], (done / stages & 1) ^ 1);
                    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 256;" ::"r"(place(barrier)) : "memory");
                    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];" ::"r"(
                                     place(ring[done % stages])),
                                 "l"(in + ((size_t)row * tiles + first + s) * tile), "r"(place(barrier)) : "memory");
                }
            });
        } else if (threadIdx.x < threads) {
            float own = 0.0f;
            in_rounds([&](unsigned, unsigned here) {
                for (unsigned s = 0; s < here; ++s, ++done) {
                    wait(&full[done % stages], done / stages & 1);
                    own += ring[done % stages][threadIdx.x];
                    __syncwarp();
                    if (threadIdx.x % 32 == 0)
                        asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(place(&empty[done % stages])) : "memory");
                }
            });
            if (threadIdx.x == 0)
                asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
            asm volatile("bar.sync 1, 64;" ::: "memory");
            sum[threadIdx.x] = own;
            asm volatile("bar.sync 1, 64;" ::: "memory");
            if (threadIdx.x == 0) {
                asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;" // expect: tx-proxy-fence
                             ::"l"(out + (size_t)row * tile), "r"(place(sum)) : "memory");
                asm volatile("cp.async.bulk.commit_group;" ::: "memory");
            }
        }
    }
    if (threadIdx.x == 0)
        asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

void run(const float *in, float *out, unsigned columns, int rows)
{
    add_rows<<<132, threads + 32>>>(in, out, columns, rows);
}
