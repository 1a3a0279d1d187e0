// Data say which block of a pair counts, and the kernel is launched without pairs.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

constexpr int bins = 128;

__global__ void count_halves(const unsigned *__restrict__ keys, unsigned *__restrict__ counts, int n)
{
    __shared__ unsigned bin[bins];
    auto pair = cg::this_cluster();
    for (int i = threadIdx.x; i < bins; i += blockDim.x)
        bin[i] = 0;
    pair.sync();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned *there = pair.map_shared_rank(bin, keys[i] % 2); // expect: launch-cluster
        atomicAdd(&there[keys[i] / 2 % bins], 1u);
    }
    pair.sync();
    for (int i = threadIdx.x; i < bins; i += blockDim.x)
        atomicAdd(&counts[pair.block_rank() * bins + i], bin[i]);
}

void run(const unsigned *keys, unsigned *counts, int n)
{
    count_halves<<<64, 256>>>(keys, counts, n);
}
