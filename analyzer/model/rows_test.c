// The table: its rows are sound, and every known spelling has one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"
#include "model/table.h"

// --- The rows ----------------------------------------------------------------------------------

static void test_rows_are_unique(void **state)
{
    (void)state;
    for (uint32_t i = 0; model_builtin(i); ++i) {
        const struct model_row *a = model_builtin(i);
        for (uint32_t j = 0; j < i; ++j) {
            const struct model_row *b = model_builtin(j);
            if (a->is_ptx == b->is_ptx && strcmp(a->spelling, b->spelling) == 0 &&
                strcmp(a->when, b->when) == 0)
                fail_msg("two rows for '%s' [%s]", a->spelling, a->when);
        }
    }
}

static void test_rows_are_legal(void **state)
{
    (void)state;
    for (uint32_t i = 0; model_builtin(i); ++i) {
        const struct model_row *row = model_builtin(i);
        size_t bars = 0, stars = 0;
        for (const char *at = row->roles; *at; ++at) {
            if (!strchr("osgnimptbqdfvlwrkMaRPTKZx.*?&|", *at))
                fail_msg("'%s': role '%c'", row->spelling, *at);
            bars += *at == '|';
            stars = *at == '|' ? 0 : stars + (*at == '*');
            if (stars > 1)
                fail_msg("'%s': two stars", row->spelling);
            if ((*at == '?' || *at == '&') && (at == row->roles || strchr("|*?", at[-1])))
                fail_msg("'%s': '%c' behind no role", row->spelling, *at);
        }
        // An instruction says where its destinations end; a function may have an object.
        if (bars > 1 || (row->is_ptx && bars != 1))
            fail_msg("'%s': '|' in roles '%s'", row->spelling, row->roles);
        assert_true(row->kind < MODEL_KIND_COUNT_);
        assert_string_not_equal(model_kind_name(row->kind), "?");
        if (row->min_arch % 10 || row->min_arch > 1300)
            fail_msg("'%s': architecture %d", row->spelling, row->min_arch);
        // What acts on an object says which.
        bool object = row->kind >= MODEL_MBARRIER_INIT && row->kind <= MODEL_MBARRIER_HANDLE &&
                      row->kind != MODEL_MBARRIER_PENDING;
        if (object && !strchr(row->roles, 'o'))
            fail_msg("'%s' has no object", row->spelling);
    }
}

static void test_rows_are_reachable(void **state)
{
    (void)state;
    struct model *model = model_new();
    for (uint32_t i = 0; model_builtin(i); ++i) {
        const struct model_row *row = model_builtin(i);
        char name[MODEL_NAME_LIMIT];
        const char *part[MODEL_PARTS];
        if (row->is_ptx) {
            uint32_t parts = model_split(row->spelling, name, part);
            const struct model_row *found = model_find_instruction(model, part, parts);
            if (!found || strcmp(found->spelling, row->spelling) != 0)
                fail_msg("'%s' is found as '%s'", row->spelling, found ? found->spelling : "none");
            continue;
        }
        assert_true(model_canonical(row->spelling, name));
        if (strcmp(name, row->spelling) != 0)
            fail_msg("'%s' is looked up as '%s'", row->spelling, name);
        char *star = strchr(name, '*');
        if (star)
            strcpy(star, "_x");
        bool found = false;
        for (uint32_t at = model_find_function(model, name); at != IR_NONE && !found;
             at = model->row[at].next)
            found = strcmp(model->row[at].spelling, row->spelling) == 0;
        if (!found)
            fail_msg("'%s' is not found", row->spelling);
    }
    model_free(model);
}

// Every function name by which CUDA's headers and compilers offer a barrier operation. Wrappers of
// libraries (CUTLASS, ThunderKittens) are followed down to these.
static const char *const known_function[] = {
    "__syncthreads",
    "__syncthreads_count",
    "__syncthreads_and",
    "__syncthreads_or",
    "__syncwarp",
    "__barrier_sync",
    "__barrier_sync_count",
    "__cluster_barrier_arrive",
    "__cluster_barrier_arrive_relaxed",
    "__cluster_barrier_wait",
    "__cluster_map_shared_rank",
    "__cluster_map_shared_multicast",
    "__cluster_query_shared_rank",
    "__shfl_sync",
    "__shfl_up_sync",
    "__shfl_down_sync",
    "__shfl_xor_sync",
    "__any_sync",
    "__all_sync",
    "__uni_sync",
    "__ballot_sync",
    "__match_any_sync",
    "__match_all_sync",
    "__reduce_add_sync",
    "__reduce_min_sync",
    "__reduce_max_sync",
    "__reduce_and_sync",
    "__reduce_or_sync",
    "__reduce_xor_sync",
    "__activemask",
    "__nvvm_bar0",
    "__nvvm_bar0_popc",
    "__nvvm_bar0_and",
    "__nvvm_bar0_or",
    "__nvvm_bar_sync",
    "__nvvm_bar_warp_sync",
    "__nvvm_barrier_sync",
    "__nvvm_barrier_sync_cnt",
    "__nvvm_barrier_cluster_arrive",
    "__nvvm_barrier_cluster_arrive_relaxed",
    "__nvvm_barrier_cluster_wait",
    "__nvvm_mbarrier_init",
    "__nvvm_mbarrier_inval",
    "__nvvm_mbarrier_arrive",
    "__nvvm_mbarrier_arrive_noComplete",
    "__nvvm_mbarrier_arrive_drop",
    "__nvvm_mbarrier_arrive_drop_noComplete",
    "__nvvm_mbarrier_test_wait",
    "__nvvm_mbarrier_test_wait_shared",
    "__nvvm_mbarrier_pending_count",
    "__nvvm_cp_async_ca_shared_global_16",
    "__nvvm_cp_async_commit_group",
    "__nvvm_cp_async_wait_group",
    "__nvvm_cp_async_wait_all",
    "__nvvm_cp_async_mbarrier_arrive",
    "__nvvm_cp_async_mbarrier_arrive_noinc",
    "__nvvm_cp_async_mbarrier_arrive_noinc_shared",
    "cuda::init",
    "cuda::barrier::barrier",
    "cuda::barrier::~barrier",
    "cuda::barrier::arrive",
    "cuda::barrier::wait",
    "cuda::barrier::wait_parity",
    "cuda::barrier::arrive_and_wait",
    "cuda::barrier::arrive_and_drop",
    "cuda::barrier::try_wait_for",
    "cuda::barrier::try_wait_until",
    "cuda::barrier::try_wait_parity_for",
    "cuda::barrier::try_wait_parity_until",
    "cuda::barrier::max",
    "cuda::latch::arrive_and_wait",
    "cuda::counting_semaphore::acquire",
    "cuda::std::barrier::arrive",
    "cuda::std::barrier::wait",
    "cuda::std::barrier::arrive_and_wait",
    "cuda::std::barrier::arrive_and_drop",
    "cuda::device::barrier_native_handle",
    "cuda::device::barrier_arrive_tx",
    "cuda::device::barrier_expect_tx",
    "cuda::device::memcpy_async_tx",
    "cuda::memcpy_async",
    "cuda::make_pipeline",
    "cuda::pipeline::producer_acquire",
    "cuda::pipeline::producer_commit",
    "cuda::pipeline::consumer_wait",
    "cuda::pipeline::consumer_wait_for",
    "cuda::pipeline::consumer_wait_until",
    "cuda::pipeline::consumer_release",
    "cuda::pipeline::quit",
    "cuda::pipeline_consumer_wait_prior",
    "cuda::pipeline_producer_commit",
    "cuda::ptx::mbarrier_init",
    "cuda::ptx::mbarrier_arrive",
    "cuda::ptx::mbarrier_arrive_no_complete",
    "cuda::ptx::mbarrier_arrive_expect_tx",
    "cuda::ptx::mbarrier_expect_tx",
    "cuda::ptx::mbarrier_test_wait",
    "cuda::ptx::mbarrier_test_wait_parity",
    "cuda::ptx::mbarrier_try_wait",
    "cuda::ptx::mbarrier_try_wait_parity",
    "cuda::ptx::cp_async_mbarrier_arrive",
    "cuda::ptx::cp_async_mbarrier_arrive_noinc",
    "cuda::ptx::barrier_cluster_arrive",
    "cuda::ptx::barrier_cluster_wait",
    "cuda::ptx::cp_async_bulk",
    "cuda::ptx::cp_async_bulk_cp_mask",
    "cuda::ptx::cp_async_bulk_tensor",
    "cuda::ptx::cp_reduce_async_bulk",
    "cuda::ptx::cp_reduce_async_bulk_tensor",
    "cuda::ptx::cp_async_bulk_commit_group",
    "cuda::ptx::cp_async_bulk_wait_group",
    "cuda::ptx::cp_async_bulk_wait_group_read",
    "cuda::ptx::st_async",
    "cuda::ptx::red_async",
    "cuda::ptx::clusterlaunchcontrol_try_cancel",
    "cuda::ptx::clusterlaunchcontrol_try_cancel_multicast",
    "cuda::ptx::tcgen05_commit",
    "cuda::ptx::tcgen05_commit_multicast",
    "cuda::ptx::tcgen05_wait_ld",
    "cuda::ptx::tcgen05_wait_st",
    "cuda::ptx::fence_mbarrier_init",
    "cuda::ptx::fence_proxy_async",
    "cuda::ptx::fence_sync_restrict",
    "cuda::ptx::elect_sync",
    "cuda::ptx::mbarrier_inval",
    "__mbarrier_init",
    "__mbarrier_inval",
    "__mbarrier_arrive",
    "__mbarrier_arrive_and_drop",
    "__mbarrier_test_wait",
    "__mbarrier_test_wait_parity",
    "__mbarrier_try_wait",
    "__mbarrier_try_wait_parity",
    "__mbarrier_token_pending_count",
    "nvcuda::experimental::init",
    "nvcuda::experimental::inval",
    "nvcuda::experimental::awbarrier::arrive",
    "nvcuda::experimental::awbarrier::arrive_and_drop",
    "nvcuda::experimental::awbarrier::timed_wait",
    "nvcuda::experimental::awbarrier::timed_wait_parity",
    "nvcuda::experimental::awbarrier::try_wait",
    "nvcuda::experimental::awbarrier::try_wait_parity",
    "nvcuda::experimental::awbarrier::wait",
    "nvcuda::experimental::awbarrier::arrive_and_wait",
    "nvcuda::experimental::awbarrier::arrival_token::pending_count",
    "__pipeline_memcpy_async",
    "__pipeline_commit",
    "__pipeline_wait_prior",
    "__pipeline_arrive_on",
    "nvcuda::experimental::pipeline::commit",
    "nvcuda::experimental::pipeline::arrive_on",
    "cooperative_groups::this_thread_block",
    "cooperative_groups::this_grid",
    "cooperative_groups::this_cluster",
    "cooperative_groups::coalesced_threads",
    "cooperative_groups::tiled_partition",
    "cooperative_groups::binary_partition",
    "cooperative_groups::labeled_partition",
    "cooperative_groups::sync",
    "cooperative_groups::thread_block::sync",
    "cooperative_groups::grid_group::sync",
    "cooperative_groups::cluster_group::sync",
    "cooperative_groups::coalesced_group::sync",
    "cooperative_groups::thread_block_tile::sync",
    "cooperative_groups::thread_block::barrier_arrive",
    "cooperative_groups::thread_block::barrier_wait",
    "cooperative_groups::grid_group::barrier_arrive",
    "cooperative_groups::grid_group::barrier_wait",
    "cooperative_groups::cluster_group::barrier_arrive",
    "cooperative_groups::cluster_group::barrier_wait",
    "cooperative_groups::memcpy_async",
    "cooperative_groups::wait",
    "cooperative_groups::wait_prior",
    "cooperative_groups::reduce",
    "cooperative_groups::reduce_update_async",
    "cooperative_groups::reduce_store_async",
    "cooperative_groups::inclusive_scan",
    "cooperative_groups::exclusive_scan",
    "cooperative_groups::thread_block_tile::shfl",
    "cooperative_groups::thread_block_tile::any",
    "cooperative_groups::thread_block_tile::all",
    "cooperative_groups::thread_block_tile::ballot",
    "cooperative_groups::coalesced_group::match_any",
    "cooperative_groups::cluster_group::map_shared_rank",
    "cooperative_groups::cluster_group::query_shared_rank",
    "cudaGridDependencySynchronize",
    "cudaTriggerProgrammaticLaunchCompletion",
    // As the headers really declare them.
    "cuda::__4::barrier::arrive",
    "cuda::std::__4::__barrier_base::wait",
    "cooperative_groups::__v1::thread_block::sync",
    "cooperative_groups::__v1::__static_size_thread_block_tile_base::sync",
    "cooperative_groups::__v1::__static_size_multi_warp_tile_base::shfl",
    "cooperative_groups::__v1::experimental::binary_partition",
};

static void test_every_name_is_known(void **state)
{
    (void)state;
    struct model *model = model_new();
    for (size_t i = 0; i < sizeof known_function / sizeof known_function[0]; ++i)
        if (!model_knows(model, known_function[i]))
            fail_msg("'%s' has no row", known_function[i]);
    // Bodies of these may be the user's own.
    assert_false(model_knows(model, "min"));
    assert_false(model_knows(model, "sp::syncthreads"));
    assert_false(model_knows(model, "my::__syncthreads"));
    assert_false(model_knows(model, "__nv_bfloat16::operator float"));
    assert_false(model_knows(model, ""));
    assert_false(model_knows(model, NULL));
    model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_unique),
        cmocka_unit_test(test_rows_are_legal),
        cmocka_unit_test(test_rows_are_reachable),
        cmocka_unit_test(test_every_name_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
