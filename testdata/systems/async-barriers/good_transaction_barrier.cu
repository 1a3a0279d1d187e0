// An arrival that announces no bytes: the phase is one of arrivals only.
#include <cooperative_groups.h>
#include <cstdint>
#include <cuda/barrier>
#include <cuda/ptx>
#include <cuda/std/utility>

__global__ void nothing_to_track(float *cell)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> step;
    __shared__ uint64_t word;
    auto block = cooperative_groups::this_thread_block();
    if (block.thread_rank() == 0) {
        init(&step, block.size());
        cuda::ptx::mbarrier_init(&word, block.size());
    }
    block.sync();
    auto token = cuda::device::barrier_arrive_tx(step, 1, 0);
    cell[threadIdx.x] += 1;
    step.wait(cuda::std::move(token));
    const uint64_t state = cuda::ptx::mbarrier_arrive_expect_tx(
        cuda::ptx::sem_release, cuda::ptx::scope_cluster, cuda::ptx::space_shared, &word, 0);
    while (!cuda::ptx::mbarrier_try_wait(&word, state)) {
    }
}

void launch(float *cell)
{
    nothing_to_track<<<1, 128>>>(cell);
}
