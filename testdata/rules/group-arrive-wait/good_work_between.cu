// Only the thread's own work, and a collective of another group, between the halves.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <utility>

namespace cg = cooperative_groups;

__global__ void smooth(const int *__restrict__ in, int *__restrict__ out, int rounds)
{
    __shared__ int line[128];
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    for (int round = 0; round < rounds; ++round) {
        line[threadIdx.x] = in[round * 128 + threadIdx.x];
        auto token = block.barrier_arrive();
        const int sum = cg::reduce(warp, in[threadIdx.x], cg::plus<int>());
        block.barrier_wait(std::move(token));
        out[round * 128 + threadIdx.x] = sum + line[127 - threadIdx.x];
        block.sync();
    }
}

void run(const int *in, int *out, int rounds)
{
    smooth<<<1, 128>>>(in, out, rounds);
}
