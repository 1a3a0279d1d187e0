// Right: one warp loads tiles into a ring of stages, the others work on them.
#include "transaction_barrier.cuh"

constexpr int kStages = 2;
constexpr int kTile = 1024; // floats
constexpr int kConsumers = 128;

struct Shared {
    alignas(128) float tile[kStages][kTile];
    example::TransactionBarrier full[kStages], empty[kStages];
};

__global__ void sum_tiles(const float *in, float *out, int tiles)
{
    extern __shared__ __align__(128) unsigned char raw[];
    Shared &shared = *reinterpret_cast<Shared *>(raw);
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < kStages; ++stage) {
            shared.full[stage].init(1);
            shared.empty[stage].init(kConsumers);
        }
    }
    __syncthreads();

    if (threadIdx.x >= kConsumers) {
        if (threadIdx.x == kConsumers) {
            for (int i = 0; i < tiles; ++i) {
                int stage = i % kStages, round = i / kStages;
                shared.empty[stage].wait((round & 1) ^ 1);
                shared.full[stage].arrive_and_expect(sizeof shared.tile[stage]);
                shared.full[stage].load(shared.tile[stage], in + i * kTile,
                                        sizeof shared.tile[stage]);
            }
        }
    } else {
        float sum = 0.0f;
        for (int i = 0; i < tiles; ++i) {
            int stage = i % kStages, round = i / kStages;
            shared.full[stage].wait(round & 1);
            for (int k = threadIdx.x; k < kTile; k += kConsumers)
                sum += shared.tile[stage][k];
            shared.empty[stage].arrive();
        }
        out[threadIdx.x] = sum;
    }
}

void sum_all(const float *in, float *out, int tiles)
{
    sum_tiles<<<1, kConsumers + 32, sizeof(Shared)>>>(in, out, tiles);
}
