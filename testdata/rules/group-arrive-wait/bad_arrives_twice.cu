// An arrival whose token is dropped, and then the arrival that was meant.
#include <cooperative_groups.h>
#include <utility>

namespace cg = cooperative_groups;

__global__ void relax(float *data, int rounds)
{
    auto grid = cg::this_grid();
    const int at = grid.thread_rank();
    for (int round = 0; round < rounds; ++round) {
        data[at] *= 0.5f;
        auto token = grid.barrier_arrive();
        const float own = data[at];
        grid.barrier_wait(std::move(token));
        data[at] = own + data[at ^ 1];
        (void)grid.barrier_arrive();
        data[at] += 1.0f;
        auto last = grid.barrier_arrive(); // expect: group-arrive-wait
        grid.barrier_wait(std::move(last));
    }
}

void run(float *data, int rounds)
{
    void *arguments[] = {&data, &rounds};
    (void)cudaLaunchCooperativeKernel(reinterpret_cast<void *>(relax), dim3(16), dim3(128),
                                      arguments);
}
