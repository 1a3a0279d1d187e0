// Rounds that are alike, roles that are alike, templates, and a cluster.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

namespace app {

template <int N>
__global__ void rounds(int *data)
{
    for (int i = 0; i < N; ++i) {
        __syncthreads();
        data[threadIdx.x] += i;
    }
}

__global__ void warps(int *data)
{
    __shared__ uint64_t own[8];
    int warp = threadIdx.x / 32;
    if (threadIdx.x % 32 == 0)
        ptx::mbarrier_init(&own[warp], 32);
    __syncthreads();
    ptx::mbarrier_arrive(&own[warp]);
    while (!ptx::mbarrier_try_wait_parity(&own[warp], 0))
        ;
    data[threadIdx.x] = warp;
}

__global__ void one_hangs(int *data)
{
    __shared__ uint64_t own[8];
    int warp = threadIdx.x / 32;
    if (threadIdx.x % 32 == 0)
        ptx::mbarrier_init(&own[warp], warp == 5 ? 33 : 32);
    __syncthreads();
    ptx::mbarrier_arrive(&own[warp]);
    while (!ptx::mbarrier_try_wait_parity(&own[warp], 0))
        ;
    data[threadIdx.x] = warp;
}

__global__ void piped(int *data)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto role = threadIdx.x < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state, role);
    if (threadIdx.x < 32) {
        pipe.producer_acquire();
        pipe.producer_commit();
    } else {
        pipe.consumer_wait();
        data[threadIdx.x] = 1;
        pipe.consumer_release();
    }
}

} // namespace app

__global__ void __cluster_dims__(2) pair(int *data)
{
    asm volatile("barrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;" ::: "memory");
    data[threadIdx.x] = 1;
}

void run(int *data)
{
    app::rounds<2><<<1, 64>>>(data);
    app::rounds<40><<<1, 64>>>(data);
    app::warps<<<1, 256>>>(data);
    app::piped<<<1, 64>>>(data);
    app::one_hangs<<<1, 256>>>(data);
    pair<<<2, 64>>>(data);
    pair<<<2, 128>>>(data);
}
