// Cooperative groups: what they execute inside is checked by source_intrinsics.cuh. The classes here,
// over CUDA's own, add where their barriers are called.
#define thread_group barlint_plain_thread_group
#define thread_block barlint_plain_thread_block
#define thread_block_tile barlint_plain_thread_block_tile
#define coalesced_group barlint_plain_coalesced_group
#define grid_group barlint_plain_grid_group
#define cluster_group barlint_plain_cluster_group
#define this_thread_block barlint_plain_this_thread_block
#define this_grid barlint_plain_this_grid
#define this_cluster barlint_plain_this_cluster
#define coalesced_threads barlint_plain_coalesced_threads
#define tiled_partition barlint_plain_tiled_partition
#define binary_partition barlint_plain_binary_partition
#define labeled_partition barlint_plain_labeled_partition
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#undef thread_group
#undef thread_block
#undef thread_block_tile
#undef coalesced_group
#undef grid_group
#undef cluster_group
#undef this_thread_block
#undef this_grid
#undef this_cluster
#undef coalesced_threads
#undef tiled_partition
#undef binary_partition
#undef labeled_partition

_CG_BEGIN_NAMESPACE

// A group whose barrier says where it is called. `Plain` is CUDA's own.
#define BARLINT_RT_GROUP(name, plain_name)                                                         \
    class name : public plain_name                                                                 \
    {                                                                                              \
      public:                                                                                      \
        __device__ __forceinline__ name(const plain_name &group) : plain_name(group) {}

class thread_block;

BARLINT_RT_GROUP(thread_group, barlint_plain_thread_group)
    __device__ __forceinline__ void sync(BARLINT_RT_FROM) const
    {
        barlint_rt_calling calling(from);
        barlint_plain_thread_group::sync();
    }
};

BARLINT_RT_GROUP(thread_block, barlint_plain_thread_block)
    __device__ __forceinline__ static void sync(BARLINT_RT_FROM)
    {
        barlint_rt_calling calling(from);
        barlint_rt_take_turn(BARLINT_RT_SPLIT_BLOCK, BARLINT_RT_COLLECTIVE, from);
        barlint_plain_thread_block::sync();
    }
    __device__ __forceinline__ arrival_token barrier_arrive(BARLINT_RT_FROM) const
    {
        barlint_rt_calling calling(from);
        barlint_rt_take_turn(BARLINT_RT_SPLIT_BLOCK, BARLINT_RT_FIRST_HALF, from);
        return barlint_plain_thread_block::barrier_arrive();
    }
    __device__ __forceinline__ void barrier_wait(arrival_token &&token, BARLINT_RT_FROM) const
    {
        barlint_rt_calling calling(from);
        barlint_rt_take_turn(BARLINT_RT_SPLIT_BLOCK, BARLINT_RT_SECOND_HALF, from);
        barlint_plain_thread_block::barrier_wait(static_cast<arrival_token &&>(token));
    }
};

BARLINT_RT_GROUP(coalesced_group, barlint_plain_coalesced_group)
    __device__ __forceinline__ void sync(BARLINT_RT_FROM) const
    {
        barlint_rt_calling calling(from);
        barlint_plain_coalesced_group::sync();
    }
};

BARLINT_RT_GROUP(grid_group, barlint_plain_grid_group)
    __device__ __forceinline__ void sync(BARLINT_RT_FROM) const
    {
        barlint_rt_calling calling(from);
        is_there(from);
        barlint_rt_take_turn(BARLINT_RT_SPLIT_GRID, BARLINT_RT_COLLECTIVE, from);
        barlint_plain_grid_group::sync();
    }
    __device__ __forceinline__ arrival_token barrier_arrive(BARLINT_RT_FROM) const
    {
        barlint_rt_calling calling(from);
        is_there(from);
        barlint_rt_take_turn(BARLINT_RT_SPLIT_GRID, BARLINT_RT_FIRST_HALF, from);
        return barlint_plain_grid_group::barrier_arrive();
    }
    __device__ __forceinline__ void barrier_wait(arrival_token &&token, BARLINT_RT_FROM) const
    {
        barlint_rt_calling calling(from);
        barlint_rt_take_turn(BARLINT_RT_SPLIT_GRID, BARLINT_RT_SECOND_HALF, from);
        barlint_plain_grid_group::barrier_wait(static_cast<arrival_token &&>(token));
    }

  private:
    __device__ __forceinline__ void is_there(barlint_rt_from from) const
    {
        uint64_t site;
        if (!is_valid() && barlint_rt_seen(from, &site)) {
            barlint_rt_grid(site);
        }
    }
};

#ifdef _CG_HAS_CLUSTER_GROUP
BARLINT_RT_GROUP(cluster_group, barlint_plain_cluster_group)
    __device__ __forceinline__ static void sync(BARLINT_RT_FROM)
    {
        barlint_rt_calling calling(from);
        barlint_plain_cluster_group::sync();
    }
    __device__ __forceinline__ static arrival_token barrier_arrive(BARLINT_RT_FROM)
    {
        barlint_rt_calling calling(from);
        return barlint_plain_cluster_group::barrier_arrive();
    }
    __device__ __forceinline__ static void barrier_wait(BARLINT_RT_FROM)
    {
        barlint_rt_calling calling(from);
        barlint_plain_cluster_group::barrier_wait();
    }
    __device__ __forceinline__ static void barrier_wait(arrival_token &&, BARLINT_RT_FROM)
    {
        barrier_wait(from);
    }
};

__device__ __forceinline__ cluster_group this_cluster()
{
    return barlint_plain_this_cluster();
}
#endif

// CUDA's group under one of these, for what its templates are told apart by.
template <class Group> struct barlint_rt_plain {
    typedef Group type;
};
template <unsigned Size, class Parent> class thread_block_tile;
template <> struct barlint_rt_plain<thread_block> {
    typedef barlint_plain_thread_block type;
};
template <unsigned Size, class Parent> struct barlint_rt_plain<thread_block_tile<Size, Parent>> {
    typedef barlint_plain_thread_block_tile<Size, typename barlint_rt_plain<Parent>::type> type;
};

template <unsigned Size, class Parent = void>
class thread_block_tile : public barlint_rt_plain<thread_block_tile<Size, Parent>>::type
{
    typedef typename barlint_rt_plain<thread_block_tile<Size, Parent>>::type plain;

  public:
    __device__ __forceinline__ thread_block_tile(const plain &group) : plain(group) {}

    // A tile of a known parent is one of any.
    template <class Other>
    __device__ __forceinline__ thread_block_tile(const thread_block_tile<Size, Other> &group)
        : plain(static_cast<const typename barlint_rt_plain<thread_block_tile<Size, Other>>::type &>(
              group))
    {
    }

    __device__ __forceinline__ void sync(BARLINT_RT_FROM) const
    {
        barlint_rt_calling calling(from);
        plain::sync();
    }
};

// What collectives ask of a group holds for CUDA's own under it.
#define BARLINT_RT_TRAIT(trait)                                                                    \
    template <> struct trait<thread_block> : trait<barlint_plain_thread_block> {};                 \
    template <> struct trait<coalesced_group> : trait<barlint_plain_coalesced_group> {};           \
    template <unsigned Size, class Parent>                                                         \
    struct trait<thread_block_tile<Size, Parent>>                                                  \
        : trait<typename barlint_rt_plain<thread_block_tile<Size, Parent>>::type> {};
namespace details
{
BARLINT_RT_TRAIT(_async_copy_group_supported)
BARLINT_RT_TRAIT(_async_copy_optimize_tile)
BARLINT_RT_TRAIT(_reduce_group_supported)
BARLINT_RT_TRAIT(_scan_group_supported)
#if __has_include(<cooperative_groups/details/invoke.h>)
BARLINT_RT_TRAIT(_elect_group_supported)
#endif
}

__device__ __forceinline__ thread_block this_thread_block()
{
    return barlint_plain_this_thread_block();
}

template <unsigned Size>
__device__ __forceinline__ thread_block this_thread_block(block_tile_memory<Size> &memory)
{
    return barlint_plain_this_thread_block(memory);
}

__device__ __forceinline__ grid_group this_grid()
{
    return barlint_plain_this_grid();
}

__device__ __forceinline__ coalesced_group coalesced_threads()
{
    return barlint_plain_coalesced_threads();
}

template <unsigned Size, class Parent>
__device__ __forceinline__ thread_block_tile<Size, Parent> tiled_partition(const Parent &parent)
{
    return barlint_plain_tiled_partition<Size>(
        static_cast<const typename barlint_rt_plain<Parent>::type &>(parent));
}

__device__ __forceinline__ thread_group tiled_partition(const barlint_plain_thread_group &parent,
                                                        unsigned size)
{
    return barlint_plain_tiled_partition(parent, size);
}

__device__ __forceinline__ thread_group tiled_partition(const thread_block &parent, unsigned size)
{
    return barlint_plain_tiled_partition(static_cast<const barlint_plain_thread_block &>(parent),
                                         size);
}

__device__ __forceinline__ coalesced_group tiled_partition(const coalesced_group &parent,
                                                           unsigned size)
{
    return barlint_plain_tiled_partition(static_cast<const barlint_plain_coalesced_group &>(parent),
                                         size);
}

template <class Group>
__device__ __forceinline__ coalesced_group binary_partition(const Group &group, bool predicate)
{
    return barlint_plain_binary_partition(group, predicate);
}

template <class Group, class Label>
__device__ __forceinline__ coalesced_group labeled_partition(const Group &group, Label label)
{
    return barlint_plain_labeled_partition(group, label);
}

// sync(group), as the groups' own.
#define BARLINT_RT_SYNC(group_type)                                                                \
    __device__ __forceinline__ void sync(const group_type &group, BARLINT_RT_FROM)                 \
    {                                                                                              \
        group.sync(from);                                                                          \
    }
BARLINT_RT_SYNC(thread_group)
BARLINT_RT_SYNC(thread_block)
BARLINT_RT_SYNC(coalesced_group)
BARLINT_RT_SYNC(grid_group)
#ifdef _CG_HAS_CLUSTER_GROUP
BARLINT_RT_SYNC(cluster_group)
#endif

template <unsigned Size, class Parent>
__device__ __forceinline__ void sync(const thread_block_tile<Size, Parent> &group, BARLINT_RT_FROM)
{
    group.sync(from);
}

_CG_END_NAMESPACE
