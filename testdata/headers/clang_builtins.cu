// Barrier builtins of clang that sources for clang call directly.
__global__ void kernel(int *out)
{
    __shared__ long barrier;
    __shared__ int word[4];
    auto *shared = (__attribute__((address_space(3))) long *)&barrier;
    __nvvm_bar_warp_sync(~0u);
    out[0] = __nvvm_bar0_popc(1) + __nvvm_bar0_and(1) + __nvvm_bar0_or(1);
    __nvvm_barrier_sync(1);
    __nvvm_barrier_sync_cnt(1, 64);
    __nvvm_mbarrier_init(&barrier, 32);
    __nvvm_mbarrier_init_shared(shared, 32);
    long token = __nvvm_mbarrier_arrive(&barrier);
    token = __nvvm_mbarrier_arrive_noComplete(&barrier, 1);
    token = __nvvm_mbarrier_arrive_drop(&barrier);
    token = __nvvm_mbarrier_arrive_drop_noComplete(&barrier, 1);
    out[1] = __nvvm_mbarrier_test_wait(&barrier, token);
    out[2] = __nvvm_mbarrier_pending_count(token);
    __nvvm_cp_async_mbarrier_arrive(&barrier);
    __nvvm_cp_async_mbarrier_arrive_noinc(&barrier);
    __nvvm_mbarrier_inval(&barrier);
    __nvvm_cp_async_commit_group();
    __nvvm_cp_async_wait_group(0);
    __nvvm_cp_async_wait_all();
    __nvvm_barrier_cluster_arrive();
    __nvvm_barrier_cluster_arrive_relaxed();
    __nvvm_barrier_cluster_wait();
    out[3] = word[0];
}
