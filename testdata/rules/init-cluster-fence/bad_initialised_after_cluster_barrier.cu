// The cluster barrier comes before the initialisation.
#include <cooperative_groups.h>
#include <cuda/barrier>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(4, 1, 1) gather(const int *__restrict__ in, int *__restrict__ out)
{
    using block_barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ block_barrier complete;
    __shared__ int parts[4];
    cg::cluster_group cluster = cg::this_cluster();
    cluster.sync();
    if (threadIdx.x == 0)
        init(&complete, 4);
    __syncthreads();
    const int sum = __reduce_add_sync(0xffffffffu, in[blockIdx.x * 32 + threadIdx.x]);
    if (threadIdx.x < 4) {
        cluster.map_shared_rank(parts, threadIdx.x)[cluster.block_rank()] = sum;
        cuda::ptx::mbarrier_arrive( // expect: init-cluster-fence
            cuda::ptx::sem_release, cuda::ptx::scope_cluster, cuda::ptx::space_cluster,
            cluster.map_shared_rank(cuda::device::barrier_native_handle(complete),
                                    threadIdx.x));
    }
    while (!cuda::ptx::mbarrier_try_wait_parity(cuda::ptx::sem_acquire, cuda::ptx::scope_cluster,
                                                cuda::device::barrier_native_handle(complete), 0)) {
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = parts[0] + parts[1] + parts[2] + parts[3];
    cluster.sync();
}

void run(const int *in, int *out, int quads)
{
    gather<<<4 * quads, 32>>>(in, out);
}
