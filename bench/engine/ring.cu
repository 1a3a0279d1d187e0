// A pipeline of three roles over a ring of four stages, 1,024 threads: one warp copies tiles into the
// ring, thirty warps compute on them, one warp stores what they made.
#include <cstdint>

constexpr int kStages = 4;
constexpr int kThreads = 1024;
constexpr int kConsumers = kThreads - 64; // thirty warps
constexpr int kTile = 2048;               // floats

__device__ uint32_t shared_address(const void *pointer)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

__device__ void barrier_init(uint64_t *barrier, uint32_t count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)),
                 "r"(count));
}

__device__ void barrier_arrive(uint64_t *barrier)
{
    asm volatile("{\n.reg .b64 state;\nmbarrier.arrive.shared::cta.b64 state, [%0];\n}" ::"r"(
                     shared_address(barrier))
                 : "memory");
}

__device__ void barrier_expect(uint64_t *barrier, uint32_t bytes)
{
    asm volatile("{\n.reg .b64 state;\n"
                 "mbarrier.arrive.expect_tx.shared::cta.b64 state, [%0], %1;\n}" ::"r"(
                     shared_address(barrier)),
                 "r"(bytes)
                 : "memory");
}

__device__ void barrier_wait(uint64_t *barrier, uint32_t parity)
{
    asm volatile("{\n.reg .pred done;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@done bra end;\n"
                 "bra again;\n"
                 "end:\n}" ::"r"(shared_address(barrier)),
                 "r"(parity)
                 : "memory");
}

__device__ void copy_in(float *to, const float *from, uint32_t bytes, uint64_t *barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1], %2, [%3];" ::"r"(shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(barrier))
                 : "memory");
}

__device__ void copy_out(float *to, const float *from, uint32_t bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),
                 "r"(shared_address(from)), "r"(bytes)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

struct Ring {
    alignas(128) float in[kStages][kTile];
    alignas(128) float out[kStages][kTile];
    uint64_t full[kStages], empty[kStages];   // of `in`
    uint64_t ready[kStages], stored[kStages]; // of `out`
};

__global__ void __launch_bounds__(kThreads) scale_tiles(const float *from, float *to, int tiles,
                                                        float factor)
{
    extern __shared__ __align__(128) unsigned char memory[];
    Ring &ring = *reinterpret_cast<Ring *>(memory);
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < kStages; ++stage) {
            barrier_init(&ring.full[stage], 1);
            barrier_init(&ring.empty[stage], kConsumers);
            barrier_init(&ring.ready[stage], kConsumers);
            barrier_init(&ring.stored[stage], 1);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();

    if (warp == 0) { // the producer
        if (lane == 0) {
            for (int tile = 0; tile < tiles; ++tile) {
                const int stage = tile % kStages, round = tile / kStages;
                barrier_wait(&ring.empty[stage], (round & 1) ^ 1);
                barrier_expect(&ring.full[stage], sizeof ring.in[stage]);
                copy_in(ring.in[stage], from + static_cast<size_t>(tile) * kTile,
                        sizeof ring.in[stage], &ring.full[stage]);
            }
        }
    } else if (warp == 1) { // the warp that stores
        if (lane == 0) {
            for (int tile = 0; tile < tiles; ++tile) {
                const int stage = tile % kStages, round = tile / kStages;
                barrier_wait(&ring.ready[stage], round & 1);
                copy_out(to + static_cast<size_t>(tile) * kTile, ring.out[stage],
                         sizeof ring.out[stage]);
                asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
                barrier_arrive(&ring.stored[stage]);
            }
            asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
        }
    } else { // those that compute
        const int thread = threadIdx.x - 64;
        for (int tile = 0; tile < tiles; ++tile) {
            const int stage = tile % kStages, round = tile / kStages;
            barrier_wait(&ring.full[stage], round & 1);
            barrier_wait(&ring.stored[stage], (round & 1) ^ 1);
            for (int i = thread; i < kTile; i += kConsumers)
                ring.out[stage][i] = factor * ring.in[stage][i];
            barrier_arrive(&ring.empty[stage]);
            asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
            barrier_arrive(&ring.ready[stage]);
        }
    }
}

void scale(const float *from, float *to, int count, float factor)
{
    cudaFuncSetAttribute(scale_tiles, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Ring));
    scale_tiles<<<132, kThreads, sizeof(Ring)>>>(from, to, count / kTile, factor);
}
