// Cooperative groups. Ranks and sizes have bodies over the built-in variables, so that roles chosen
// by them can be followed; what synchronises is declared only.
#ifndef BARLINT_COOPERATIVE_GROUPS_H
#define BARLINT_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

#define BARLINT_CG inline __device__
#define BARLINT_CGD __device__

namespace cooperative_groups {

class thread_block;
class coalesced_group;
template <unsigned int size, typename Parent = void> class thread_block_tile;

namespace details {
template <typename T> struct barlint_bare { using type = __remove_cvref(T); };
template <typename T> using barlint_bare_t = __remove_cvref(T);
template <typename T> __add_rvalue_reference(T) __host__ __device__ barlint_value() noexcept;

namespace cta {
static BARLINT_CG unsigned int thread_rank() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
static BARLINT_CG unsigned int size() { return blockDim.x * blockDim.y * blockDim.z; }
} // namespace cta
namespace grid {
static BARLINT_CG unsigned long long block_rank() {
    return blockIdx.x + (unsigned long long)gridDim.x *
                            (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
}
static BARLINT_CG unsigned long long blocks() {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
}
} // namespace grid
} // namespace details

// The untyped group: what tiled_partition(group, n) gives.
class thread_group {
  protected:
    unsigned int kind, tile_size;

  public:
    thread_group() = default;
    BARLINT_CGD unsigned long long size() const;
    BARLINT_CGD unsigned long long num_threads() const;
    BARLINT_CGD unsigned long long thread_rank() const;
    BARLINT_CGD void sync() const;
    BARLINT_CGD bool is_valid() const;
    BARLINT_CGD unsigned int get_type() const;
};

class thread_block : public thread_group {
  public:
    struct arrival_token {};
    static BARLINT_CGD void sync();
    BARLINT_CGD arrival_token barrier_arrive() const;
    BARLINT_CGD void barrier_wait(arrival_token &&token) const;
    static BARLINT_CG unsigned int size() { return details::cta::size(); }
    static BARLINT_CG unsigned int num_threads() { return details::cta::size(); }
    static BARLINT_CG unsigned int thread_rank() { return details::cta::thread_rank(); }
    static BARLINT_CG dim3 group_index() { return dim3(blockIdx); }
    static BARLINT_CG dim3 thread_index() { return dim3(threadIdx); }
    static BARLINT_CG dim3 group_dim() { return blockDim; }
    static BARLINT_CG dim3 dim_threads() { return blockDim; }
    static BARLINT_CG bool is_valid() { return true; }
};

class grid_group : public thread_group {
  public:
    struct arrival_token {
        unsigned int phase;
    };
    BARLINT_CGD bool is_valid() const;
    BARLINT_CGD void sync() const;
    BARLINT_CGD arrival_token barrier_arrive() const;
    BARLINT_CGD void barrier_wait(arrival_token &&token) const;
    static BARLINT_CG unsigned long long size() { return num_threads(); }
    static BARLINT_CG unsigned long long num_threads() {
        return details::grid::blocks() * details::cta::size();
    }
    static BARLINT_CG unsigned long long thread_rank() {
        return details::grid::block_rank() * details::cta::size() + details::cta::thread_rank();
    }
    static BARLINT_CG dim3 group_dim() { return gridDim; }
    static BARLINT_CG dim3 dim_blocks() { return gridDim; }
    static BARLINT_CG dim3 dim_threads() {
        return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
    }
    static BARLINT_CG dim3 thread_index() {
        return dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                    blockIdx.z * blockDim.z + threadIdx.z);
    }
    static BARLINT_CG dim3 block_index() { return dim3(blockIdx); }
    static BARLINT_CG unsigned long long num_blocks() { return details::grid::blocks(); }
    static BARLINT_CG unsigned long long block_rank() { return details::grid::block_rank(); }
    static BARLINT_CGD dim3 dim_clusters();
    static BARLINT_CGD unsigned long long num_clusters();
    static BARLINT_CGD dim3 cluster_index();
    static BARLINT_CGD unsigned long long cluster_rank();
};

// Gone from CUDA 13; older sources name it.
class multi_grid_group : public thread_group {
  public:
    BARLINT_CGD bool is_valid() const;
    BARLINT_CGD void sync() const;
    BARLINT_CGD unsigned long long num_threads() const;
    BARLINT_CGD unsigned long long size() const;
    BARLINT_CGD unsigned long long thread_rank() const;
    BARLINT_CGD unsigned int grid_rank() const;
    BARLINT_CGD unsigned int num_grids() const;
};

// A special register, as a value the analysis follows.
#define BARLINT_SREG(name)                                                                         \
    ([]() -> unsigned int {                                                                        \
        unsigned int value;                                                                        \
        asm("mov.u32 %0, %%" #name ";" : "=r"(value));                                             \
        return value;                                                                              \
    }())

class cluster_group : public thread_group {
  public:
    struct arrival_token {};
    static BARLINT_CGD void sync();
    static BARLINT_CGD arrival_token barrier_arrive();
    static BARLINT_CGD void barrier_wait();
    static BARLINT_CGD void barrier_wait(arrival_token &&token);
    static BARLINT_CGD unsigned int query_shared_rank(const void *address);
    template <typename T> static BARLINT_CGD T *map_shared_rank(T *address, int rank);
    static BARLINT_CG dim3 block_index() {
        return dim3(BARLINT_SREG(cluster_ctaid.x), BARLINT_SREG(cluster_ctaid.y),
                    BARLINT_SREG(cluster_ctaid.z));
    }
    static BARLINT_CG unsigned int block_rank() { return BARLINT_SREG(cluster_ctarank); }
    static BARLINT_CG dim3 thread_index() {
        dim3 at = block_index();
        return dim3(at.x * blockDim.x + threadIdx.x, at.y * blockDim.y + threadIdx.y,
                    at.z * blockDim.z + threadIdx.z);
    }
    static BARLINT_CG unsigned int thread_rank() {
        return block_rank() * details::cta::size() + details::cta::thread_rank();
    }
    static BARLINT_CG dim3 dim_blocks() {
        return dim3(BARLINT_SREG(cluster_nctaid.x), BARLINT_SREG(cluster_nctaid.y),
                    BARLINT_SREG(cluster_nctaid.z));
    }
    static BARLINT_CG unsigned int num_blocks() { return BARLINT_SREG(cluster_nctarank); }
    static BARLINT_CG dim3 dim_threads() {
        dim3 blocks = dim_blocks();
        return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z);
    }
    static BARLINT_CG unsigned int num_threads() { return num_blocks() * details::cta::size(); }
    static BARLINT_CG unsigned int size() { return num_threads(); }
    static BARLINT_CG bool is_valid() { return true; }
};

// Collectives that a warp's groups share.
#define BARLINT_WARP_COLLECTIVES                                                                   \
    template <typename T> BARLINT_CGD details::barlint_bare_t<T> shfl(T &&value, int rank) const;  \
    template <typename T>                                                                          \
    BARLINT_CGD details::barlint_bare_t<T> shfl_down(T &&value, unsigned int delta) const;         \
    template <typename T>                                                                          \
    BARLINT_CGD details::barlint_bare_t<T> shfl_up(T &&value, unsigned int delta) const;           \
    template <typename T>                                                                          \
    BARLINT_CGD details::barlint_bare_t<T> shfl_xor(T &&value, unsigned int mask) const;           \
    BARLINT_CGD int any(int predicate) const;                                                      \
    BARLINT_CGD int all(int predicate) const;                                                      \
    BARLINT_CGD unsigned int ballot(int predicate) const;                                          \
    template <typename T> BARLINT_CGD unsigned int match_any(T value) const;                       \
    template <typename T> BARLINT_CGD unsigned int match_all(T value, int &predicate) const;

class coalesced_group : public thread_group {
    unsigned int mask, group_size, group_rank, group_count;

  public:
    BARLINT_CGD void sync() const;
    BARLINT_CGD unsigned int size() const { return group_size; }
    BARLINT_CGD unsigned int num_threads() const { return group_size; }
    BARLINT_CGD unsigned int thread_rank() const {
        return __popc(mask & ((1u << (details::cta::thread_rank() & 31)) - 1));
    }
    BARLINT_CGD unsigned int meta_group_rank() const { return group_rank; }
    BARLINT_CGD unsigned int meta_group_size() const { return group_count; }
    BARLINT_WARP_COLLECTIVES
};

template <unsigned int tile> class __static_size_tile_base : public thread_group {
  public:
    static constexpr unsigned int numThreads = tile;
    static BARLINT_CG unsigned int thread_rank() {
        return details::cta::thread_rank() & (tile - 1);
    }
    static constexpr BARLINT_CG unsigned int num_threads() { return tile; }
    static constexpr BARLINT_CG unsigned int size() { return tile; }
};
template <unsigned int tile> class __static_size_thread_block_tile_base
    : public __static_size_tile_base<tile> {
  public:
    static BARLINT_CGD void sync();
    BARLINT_WARP_COLLECTIVES
};
template <unsigned int tile> class __static_size_multi_warp_tile_base
    : public __static_size_tile_base<tile> {
  public:
    BARLINT_CGD void sync() const;
    template <typename T> BARLINT_CGD T shfl(T value, unsigned int rank) const;
    BARLINT_CGD int any(int predicate) const;
    BARLINT_CGD int all(int predicate) const;
};

namespace details {
template <bool in_warp, unsigned int tile> struct barlint_tile_base {
    using type = __static_size_thread_block_tile_base<tile>;
};
template <unsigned int tile> struct barlint_tile_base<false, tile> {
    using type = __static_size_multi_warp_tile_base<tile>;
};
template <typename Parent> struct barlint_parent {
    static BARLINT_CG unsigned int rank() { return cta::thread_rank(); }
    static BARLINT_CG unsigned int size() { return cta::size(); }
};
template <unsigned int tile, typename Parent>
struct barlint_parent<thread_block_tile<tile, Parent>> {
    static BARLINT_CG unsigned int rank() { return cta::thread_rank() & (tile - 1); }
    static BARLINT_CG unsigned int size() { return tile; }
};
// Whether the header lets a tile of that size be cut from the parent.
template <unsigned int tile, typename Parent> struct barlint_fits {
    static constexpr bool value = true;
};
template <unsigned int tile, unsigned int other, typename Parent>
struct barlint_fits<tile, thread_block_tile<other, Parent>> {
    static constexpr bool value = tile < other;
};
} // namespace details

// A tile that names its parent knows its place in it from the thread's rank.
template <unsigned int tile, typename Parent> class thread_block_tile
    : public details::barlint_tile_base<(tile <= 32), tile>::type {
    static_assert(details::barlint_fits<tile, Parent>::value,
                  "Tile size bigger or equal to the parent group size");

  public:
    BARLINT_CG thread_block_tile() {}
    BARLINT_CG explicit thread_block_tile(const Parent &) {}
    static BARLINT_CG unsigned int meta_group_rank() {
        return details::barlint_parent<Parent>::rank() / tile;
    }
    static BARLINT_CG unsigned int meta_group_size() {
        return (details::barlint_parent<Parent>::size() + tile - 1) / tile;
    }
    BARLINT_CG operator thread_block_tile<tile, void>() const;
};
// One that has forgotten its parent has been told.
template <unsigned int tile> class thread_block_tile<tile, void>
    : public details::barlint_tile_base<(tile <= 32), tile>::type {
    unsigned int group_rank, group_count;

  public:
    BARLINT_CG thread_block_tile() {}
    template <typename Parent>
    BARLINT_CG thread_block_tile(const thread_block_tile<tile, Parent> &known)
        : group_rank(known.meta_group_rank()), group_count(known.meta_group_size()) {}
    BARLINT_CG unsigned int meta_group_rank() const { return group_rank; }
    BARLINT_CG unsigned int meta_group_size() const { return group_count; }
};
template <unsigned int tile, typename Parent>
BARLINT_CG thread_block_tile<tile, Parent>::operator thread_block_tile<tile, void>() const {
    return thread_block_tile<tile, void>(*this);
}

template <unsigned int max_block_size = 1024> struct alignas(16) block_tile_memory {
    unsigned char bytes[(max_block_size + 31) / 32 * 8 + 64];
};

BARLINT_CGD thread_block this_thread_block();
template <unsigned int n> BARLINT_CGD thread_block this_thread_block(block_tile_memory<n> &scratch);
BARLINT_CGD grid_group this_grid();
BARLINT_CGD multi_grid_group this_multi_grid();
BARLINT_CGD cluster_group this_cluster();
BARLINT_CGD coalesced_group coalesced_threads();
BARLINT_CGD thread_block_tile<1, void> this_thread();

BARLINT_CGD thread_group tiled_partition(const thread_group &parent, unsigned int size);
BARLINT_CGD thread_group tiled_partition(const thread_block &parent, unsigned int size);
BARLINT_CGD coalesced_group tiled_partition(const coalesced_group &parent, unsigned int size);
template <unsigned int size, typename Parent>
BARLINT_CGD thread_block_tile<size, Parent> tiled_partition(const Parent &parent);
template <typename Parent>
BARLINT_CGD coalesced_group binary_partition(const Parent &parent, bool predicate);
template <typename L, typename Parent>
BARLINT_CGD coalesced_group labeled_partition(const Parent &parent, L label);

template <typename Group> BARLINT_CGD void sync(const Group &group);
template <typename Group> BARLINT_CG auto thread_rank(const Group &g) -> decltype(g.thread_rank()) {
    return g.thread_rank();
}
template <typename Group> BARLINT_CG auto group_size(const Group &g) -> decltype(g.num_threads()) {
    return g.num_threads();
}

// Functions that take a lambda have bodies: clang wants them for types without linkage.
template <typename Group, typename F, typename... A>
BARLINT_CG void invoke_one(const Group &group, F &&f, A &&...arguments) {
    if (group.thread_rank() == 0) {
        f(static_cast<A &&>(arguments)...);
    }
}
template <typename Group, typename F, typename... A>
BARLINT_CG auto invoke_one_broadcast(const Group &group, F &&f, A &&...arguments)
    -> details::barlint_bare_t<decltype(f(static_cast<A &&>(arguments)...))> {
    return f(static_cast<A &&>(arguments)...);
}

// Operators of reduce and scan.
template <typename T = void> struct plus {
    __host__ __device__ T operator()(const T &a, const T &b) const { return a + b; }
};
template <typename T = void> struct less {
    __host__ __device__ T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};
template <typename T = void> struct greater {
    __host__ __device__ T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
template <typename T = void> struct bit_and {
    __host__ __device__ T operator()(const T &a, const T &b) const { return a & b; }
};
template <typename T = void> struct bit_or {
    __host__ __device__ T operator()(const T &a, const T &b) const { return a | b; }
};
template <typename T = void> struct bit_xor {
    __host__ __device__ T operator()(const T &a, const T &b) const { return a ^ b; }
};

// Old name of what became plain.
namespace experimental {
using cooperative_groups::block_tile_memory;
using cooperative_groups::this_thread_block;
using cooperative_groups::thread_block_tile;
using cooperative_groups::tiled_partition;
} // namespace experimental

} // namespace cooperative_groups

#endif
