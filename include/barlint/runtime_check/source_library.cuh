// libcu++'s barriers and PTX, and the __mbarrier_ functions: their headers are read here with the
// names that are to be checked changed (barlint_plain_...), which leaves the names to the functions
// and classes of source_barrier.cuh, source_ptx.cuh and source_primitives.cuh. What the library calls
// inside stays as it is.
#if defined(_CUDA_BARRIER) || defined(_CUDA_PIPELINE) || defined(_CUDA_PTX) ||                     \
    defined(_CUDA_AWBARRIER_PRIMITIVES_H_) || defined(_COOPERATIVE_GROUPS_H_)
#error "<barlint/runtime_check.cuh> is to be included before CUDA's barriers and groups"
#endif

// What those headers include, with its names as they are.
#include <cuda_pipeline_primitives.h>
#if defined(__has_include)
#if __has_include(<barrier>) && __cplusplus >= 202002L
#include <barrier>
#endif
#endif
#include <chrono>
#include <cstdint>
#include <new>
#include <utility>

#if __cplusplus >= 201703L
#define BARLINT_RT_HAS_LIBRARY 1
#include <cuda/atomic>
#include <cuda/std/atomic>
#include <cuda/std/chrono>
#include <cuda/std/cstdint>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

#define barrier barlint_plain_barrier
#define pipeline barlint_plain_pipeline
#define mbarrier_init barlint_plain_mbarrier_init
#define mbarrier_arrive barlint_plain_mbarrier_arrive
#define mbarrier_arrive_no_complete barlint_plain_mbarrier_arrive_no_complete
#define mbarrier_arrive_expect_tx barlint_plain_mbarrier_arrive_expect_tx
#define mbarrier_expect_tx barlint_plain_mbarrier_expect_tx
#define mbarrier_test_wait barlint_plain_mbarrier_test_wait
#define mbarrier_test_wait_parity barlint_plain_mbarrier_test_wait_parity
#define mbarrier_try_wait barlint_plain_mbarrier_try_wait
#define mbarrier_try_wait_parity barlint_plain_mbarrier_try_wait_parity
#define cp_async_mbarrier_arrive barlint_plain_cp_async_mbarrier_arrive
#define cp_async_mbarrier_arrive_noinc barlint_plain_cp_async_mbarrier_arrive_noinc
#define cp_async_bulk barlint_plain_cp_async_bulk
#define cp_async_bulk_tensor barlint_plain_cp_async_bulk_tensor
#define cp_reduce_async_bulk barlint_plain_cp_reduce_async_bulk
#define st_async barlint_plain_st_async
#define red_async barlint_plain_red_async
#define barrier_cluster_arrive barlint_plain_barrier_cluster_arrive
#define barrier_cluster_wait barlint_plain_barrier_cluster_wait
#define fence_mbarrier_init barlint_plain_fence_mbarrier_init
#include <cuda/barrier>
#if __has_include(<cuda/ptx>)
#include <cuda/ptx>
#define BARLINT_RT_HAS_PTX 1
#endif
#undef barrier
#undef pipeline
#undef mbarrier_init
#undef mbarrier_arrive
#undef mbarrier_arrive_no_complete
#undef mbarrier_arrive_expect_tx
#undef mbarrier_expect_tx
#undef mbarrier_test_wait
#undef mbarrier_test_wait_parity
#undef mbarrier_try_wait
#undef mbarrier_try_wait_parity
#undef cp_async_mbarrier_arrive
#undef cp_async_mbarrier_arrive_noinc
#undef cp_async_bulk
#undef cp_async_bulk_tensor
#undef cp_reduce_async_bulk
#undef st_async
#undef red_async
#undef barrier_cluster_arrive
#undef barrier_cluster_wait
#undef fence_mbarrier_init

#include "source_barrier.cuh"
#ifdef BARLINT_RT_HAS_PTX
#include "source_ptx.cuh"
#endif
#endif
