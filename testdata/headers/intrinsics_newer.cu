// Intrinsics of sm_90: the cluster barrier, addresses of peers, dependent launches.
// since: 12.0
__global__ void __cluster_dims__(2) kernel(int *out)
{
    __shared__ int word;
    __cluster_barrier_arrive();
    __cluster_barrier_arrive_relaxed();
    __cluster_barrier_wait();
    int *peer = static_cast<int *>(__cluster_map_shared_rank(&word, 1));
    out[0] = *peer + __cluster_query_shared_rank(peer) + __clusterRelativeBlockRank() +
             __clusterSizeInBlocks() + __isClusterShared(&word);
    dim3 at = __clusterRelativeBlockIdx();
    out[1] = at.x + __clusterDim().x + __clusterIdx().x + __clusterGridDimInClusters().x;
    cudaGridDependencySynchronize();
    cudaTriggerProgrammaticLaunchCompletion();
}

__global__ void named(int id)
{
    __barrier_sync(id);
    __barrier_sync_count(id, 64);
}

struct alignas(16) wide {
    long long low, high;
};

__global__ void wide_atomics(wide *at, unsigned short *narrow)
{
    wide before = atomicExch(at, wide{});
    before = atomicCAS(at, before, wide{1, 2});
    before = atomicCAS_block(at, before, atomicExch_system(at, wide{}));
    atomicCAS(narrow, (unsigned short)before.low, (unsigned short)1);
}
