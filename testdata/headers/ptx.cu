// cuda::ptx: every form that touches a barrier, and its fences.
// since: 12.9
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void kernel(unsigned *out, const int *in)
{
    __shared__ uint64_t b;
    __shared__ alignas(128) int tile[64];
    __shared__ uint32_t column;
    const int32_t at1[1] = {0}, at2[2] = {0, 1}, at3[3] = {0, 1, 2}, at5[5] = {0, 1, 2, 3, 4};
    ptx::mbarrier_init(&b, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    uint64_t token = ptx::mbarrier_arrive(&b);
    token = ptx::mbarrier_arrive(&b, 2);
    token = ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &b);
    token = ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_shared, &b, 2);
    token = ptx::mbarrier_arrive(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, &b);
    ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster, &b);
    ptx::mbarrier_arrive(ptx::sem_relaxed, ptx::scope_cluster, ptx::space_cluster, &b, 2);
    token = ptx::mbarrier_arrive_no_complete(&b, 1);
    token = ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &b,
                                           256);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster, &b,
                                   256);
    ptx::mbarrier_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, &b, 16);
    ptx::mbarrier_expect_tx(ptx::sem_relaxed, ptx::scope_cluster, ptx::space_cluster, &b, 16);
    while (!ptx::mbarrier_test_wait(&b, token)) {
    }
    while (!ptx::mbarrier_test_wait_parity(&b, 0)) {
    }
    while (!ptx::mbarrier_try_wait(&b, token)) {
    }
    while (!ptx::mbarrier_try_wait(&b, token, 100)) {
    }
    while (!ptx::mbarrier_try_wait_parity(&b, 1)) {
    }
    while (!ptx::mbarrier_try_wait_parity(&b, 1, 100)) {
    }
    (void)ptx::mbarrier_try_wait(ptx::sem_acquire, ptx::scope_cluster, &b, token);
    (void)ptx::mbarrier_try_wait_parity(ptx::sem_relaxed, ptx::scope_cta, &b, 0, 10);
    (void)ptx::mbarrier_test_wait_parity(ptx::sem_acquire, ptx::scope_cta, &b, 0);
    ptx::cp_async_mbarrier_arrive(&b);
    ptx::cp_async_mbarrier_arrive_noinc(&b);

    ptx::barrier_cluster_arrive();
    ptx::barrier_cluster_arrive(ptx::sem_release);
    ptx::barrier_cluster_arrive(ptx::sem_relaxed);
    ptx::barrier_cluster_wait();
    ptx::barrier_cluster_wait(ptx::sem_acquire);
    out[0] = ptx::getctarank(ptx::space_cluster, &b);

    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, 256, &b);
    ptx::cp_async_bulk(ptx::space_shared, ptx::space_global, tile, in, 256, &b);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared, tile, tile, 256, &b);
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile, 256);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, 256, &b, uint16_t(3));
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, in, at1, &b);
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, in, at2, &b);
    ptx::cp_async_bulk_tensor(ptx::space_shared, ptx::space_global, tile, in, at3, &b);
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, in, at5, &b,
                              uint16_t(3));
    ptx::cp_async_bulk_tensor(ptx::space_shared, ptx::space_global, ptx::cta_group_2, tile, in, at2,
                              &b);
    ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, in, at2, tile);
    ptx::cp_reduce_async_bulk(ptx::space_cluster, ptx::space_shared, ptx::op_add, &column, &column,
                              16, &b);
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, out, &column, 16);
    ptx::cp_reduce_async_bulk_tensor(ptx::space_global, ptx::space_shared, ptx::op_add, in, at2,
                                     tile);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<1>());
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    ptx::st_async(tile, 3, &b);
    ptx::red_async(ptx::op_inc, &column, 3u, &b);

    ptx::clusterlaunchcontrol_try_cancel(tile, &b);
    ptx::clusterlaunchcontrol_try_cancel_multicast(tile, &b);
    ptx::tcgen05_alloc(ptx::cta_group_1, &column, 32);
    ptx::tcgen05_commit(ptx::cta_group_1, &b);
    ptx::tcgen05_commit_multicast(ptx::cta_group_2, &b, 3);
    ptx::tcgen05_fence_before_thread_sync();
    ptx::tcgen05_fence_after_thread_sync();
    ptx::tcgen05_wait_ld();
    ptx::tcgen05_wait_st();
    ptx::tcgen05_dealloc(ptx::cta_group_1, column, 32);
    ptx::tcgen05_relinquish_alloc_permit(ptx::cta_group_1);
    uint32_t word[2];
    ptx::tcgen05_ld_32x32b(word, column);

    ptx::fence(ptx::sem_acq_rel, ptx::scope_gpu);
    ptx::fence(ptx::sem_sc, ptx::scope_cluster);
    ptx::fence_proxy_alias();
    ptx::fence_proxy_async();
    ptx::fence_proxy_async(ptx::space_shared);
    ptx::fence_proxy_async_generic_sync_restrict(ptx::sem_acquire, ptx::space_cluster,
                                                 ptx::scope_cluster);
    ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_cta, in, ptx::n32_t<128>());
    ptx::fence_sync_restrict(ptx::sem_acquire, ptx::space_cluster, ptx::scope_cluster);
    ptx::fence_sync_restrict(ptx::sem_release, ptx::space_shared, ptx::scope_cluster);
    out[1] = ptx::get_sreg_tid_x() + ptx::get_sreg_laneid() + ptx::get_sreg_cluster_ctarank();
}
