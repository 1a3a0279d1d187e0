// CUDA's intrinsics by their names: function-like macros, so that headers which come later (CUB,
// cooperative groups) are checked, too.
#define __syncthreads() barlint_rt_syncthreads(BARLINT_RT_PLACE)
#define __syncthreads_count(predicate) barlint_rt_syncthreads_count(predicate, BARLINT_RT_PLACE)
#define __syncthreads_and(predicate) barlint_rt_syncthreads_and(predicate, BARLINT_RT_PLACE)
#define __syncthreads_or(predicate) barlint_rt_syncthreads_or(predicate, BARLINT_RT_PLACE)
#define __barrier_sync(id) barlint_rt_barrier_sync(id, BARLINT_RT_PLACE)
#define __barrier_sync_count(id, count) barlint_rt_barrier_sync_count(id, count, BARLINT_RT_PLACE)

// Its mask may be left out.
struct barlint_rt_mask_of {
    unsigned mask;
    __host__ __device__ constexpr barlint_rt_mask_of() : mask(0xffffffffu) {}
    __host__ __device__ constexpr barlint_rt_mask_of(unsigned given) : mask(given) {}
};
#define __syncwarp(...) barlint_rt_syncwarp(barlint_rt_mask_of(__VA_ARGS__).mask, BARLINT_RT_PLACE)

#define BARLINT_RT_MASK(mask) barlint_rt_mask(mask, BARLINT_RT_PLACE)
#define __shfl_sync(mask, ...) __shfl_sync(BARLINT_RT_MASK(mask), __VA_ARGS__)
#define __shfl_up_sync(mask, ...) __shfl_up_sync(BARLINT_RT_MASK(mask), __VA_ARGS__)
#define __shfl_down_sync(mask, ...) __shfl_down_sync(BARLINT_RT_MASK(mask), __VA_ARGS__)
#define __shfl_xor_sync(mask, ...) __shfl_xor_sync(BARLINT_RT_MASK(mask), __VA_ARGS__)
#define __all_sync(mask, ...) __all_sync(BARLINT_RT_MASK(mask), __VA_ARGS__)
#define __any_sync(mask, ...) __any_sync(BARLINT_RT_MASK(mask), __VA_ARGS__)
#define __ballot_sync(mask, ...) __ballot_sync(BARLINT_RT_MASK(mask), __VA_ARGS__)
#define __match_any_sync(mask, ...) __match_any_sync(BARLINT_RT_MASK(mask), __VA_ARGS__)
#define __match_all_sync(mask, ...) __match_all_sync(BARLINT_RT_MASK(mask), __VA_ARGS__)
#define __reduce_add_sync(mask, ...) __reduce_add_sync(BARLINT_RT_MASK(mask), __VA_ARGS__)
#define __reduce_min_sync(mask, ...) __reduce_min_sync(BARLINT_RT_MASK(mask), __VA_ARGS__)
#define __reduce_max_sync(mask, ...) __reduce_max_sync(BARLINT_RT_MASK(mask), __VA_ARGS__)
#define __reduce_and_sync(mask, ...) __reduce_and_sync(BARLINT_RT_MASK(mask), __VA_ARGS__)
#define __reduce_or_sync(mask, ...) __reduce_or_sync(BARLINT_RT_MASK(mask), __VA_ARGS__)
#define __reduce_xor_sync(mask, ...) __reduce_xor_sync(BARLINT_RT_MASK(mask), __VA_ARGS__)

#define __cluster_barrier_arrive()                                                                 \
    (barlint_rt_at_cluster(BARLINT_RT_CLUSTER_ARRIVE, 0, BARLINT_RT_PLACE),                        \
     __cluster_barrier_arrive())
#define __cluster_barrier_arrive_relaxed()                                                         \
    (barlint_rt_at_cluster(BARLINT_RT_CLUSTER_ARRIVE, 1, BARLINT_RT_PLACE),                        \
     __cluster_barrier_arrive_relaxed())
#define __cluster_barrier_wait()                                                                   \
    (barlint_rt_at_cluster(BARLINT_RT_CLUSTER_WAIT, 0, BARLINT_RT_PLACE), __cluster_barrier_wait())
