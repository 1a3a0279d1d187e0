// CUB. Block-wide primitives have bodies with the block barrier they use, so that a call which some
// threads skip is seen; values are not computed. Device-wide functions are declared loosely.
#ifndef BARLINT_CUB_H
#define BARLINT_CUB_H

#include "../cuda/std/functional"

#define CUB_VERSION 300000
#define CUB_PTX_ARCH __CUDA_ARCH__
#define CUB_MIN(a, b) (((a) > (b)) ? (b) : (a))
#define CUB_MAX(a, b) (((a) > (b)) ? (a) : (b))
#define CUB_NS_QUALIFIER ::cub
#define CUB_LOG_WARP_THREADS(arch) 5
#define CUB_WARP_THREADS(arch) 32
#define CubDebug(e) (e)
#define CubDebugExit(e) (e)

namespace cub {

#define BARLINT_CUB static inline __device__
#define BARLINT_CUBM inline __device__

struct Sum {
    template <typename T> __host__ __device__ T operator()(const T &a, const T &b) const {
        return a + b;
    }
};
struct Max {
    template <typename T> __host__ __device__ T operator()(const T &a, const T &b) const {
        return a < b ? b : a;
    }
};
struct Min {
    template <typename T> __host__ __device__ T operator()(const T &a, const T &b) const {
        return b < a ? b : a;
    }
};
struct Equality {
    template <typename T> __host__ __device__ bool operator()(const T &a, const T &b) const {
        return a == b;
    }
};
struct Inequality {
    template <typename T> __host__ __device__ bool operator()(const T &a, const T &b) const {
        return a != b;
    }
};
struct ArgMax {
    template <typename T> __host__ __device__ T operator()(const T &a, const T &b) const {
        return a.value < b.value ? b : a;
    }
};
struct ArgMin {
    template <typename T> __host__ __device__ T operator()(const T &a, const T &b) const {
        return b.value < a.value ? b : a;
    }
};
template <typename K, typename V> struct KeyValuePair {
    typedef K Key;
    typedef V Value;
    K key;
    V value;
    KeyValuePair() = default;
    __host__ __device__ KeyValuePair(const K &k, const V &v) : key(k), value(v) {}
};
struct NullType {};
template <typename T> struct Uninitialized {
    alignas(T) unsigned char bytes[sizeof(T)];
    __host__ __device__ T &Alias() { return reinterpret_cast<T &>(*this); }
};

template <int N> struct Log2 {
    static constexpr int VALUE = N > 1 ? 1 + Log2<(N + 1) / 2>::VALUE : 0;
};
template <> struct Log2<1> { static constexpr int VALUE = 0; };
template <> struct Log2<0> { static constexpr int VALUE = 0; };
// The members of the logical warp.
template <int threads> __host__ __device__ inline unsigned int WarpMask(unsigned int warp) {
    return threads == 32 ? ~0u : ((1u << threads % 32) - 1) << (warp * threads) % 32;
}

// Where the threads of a block put values that the lanes of its first warp go through, a segment
// each.
template <typename T, int threads> struct BlockRakingLayout {
    static constexpr int SHARED_ELEMENTS = threads;
    static constexpr int MAX_RAKING_THREADS = threads < 32 ? threads : 32;
    static constexpr int SEGMENT_LENGTH = (threads + MAX_RAKING_THREADS - 1) / MAX_RAKING_THREADS;
    static constexpr int RAKING_THREADS = (threads + SEGMENT_LENGTH - 1) / SEGMENT_LENGTH;
    static constexpr int USE_SEGMENT_PADDING = SEGMENT_LENGTH % 2 == 0 && SEGMENT_LENGTH > 2;
    static constexpr int GRID_ELEMENTS = RAKING_THREADS * (SEGMENT_LENGTH + USE_SEGMENT_PADDING);
    static constexpr bool UNGUARDED = SHARED_ELEMENTS % RAKING_THREADS == 0;
    struct alignas(16) _TempStorage {
        T buff[GRID_ELEMENTS];
    };
    struct TempStorage : Uninitialized<_TempStorage> {};

    static __device__ T *PlacementPtr(TempStorage &storage, unsigned int thread) {
        unsigned int padding = USE_SEGMENT_PADDING ? thread / SEGMENT_LENGTH : 0;
        return storage.Alias().buff + thread + padding;
    }
    static __device__ T *RakingPtr(TempStorage &storage, unsigned int thread) {
        return storage.Alias().buff + thread * (SEGMENT_LENGTH + USE_SEGMENT_PADDING);
    }
};

enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS,
    BLOCK_REDUCE_WARP_REDUCTIONS_NONDETERMINISTIC
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT,
    BLOCK_LOAD_STRIPED,
    BLOCK_LOAD_VECTORIZE,
    BLOCK_LOAD_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT,
    BLOCK_STORE_STRIPED,
    BLOCK_STORE_VECTORIZE,
    BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };
enum CacheLoadModifier {
    LOAD_DEFAULT,
    LOAD_CA,
    LOAD_CG,
    LOAD_CS,
    LOAD_CV,
    LOAD_LDG,
    LOAD_VOLATILE
};
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };

// One word a thread stands for what a primitive keeps in shared memory.
#define BARLINT_CUB_STORAGE(name, T, threads)                                                      \
    struct TempStorage {                                                                           \
        alignas(16) unsigned char bytes[sizeof(T) * (threads) + 16];                               \
    };                                                                                             \
                                                                                                   \
  private:                                                                                         \
    TempStorage *storage;                                                                          \
                                                                                                   \
  public:                                                                                          \
    BARLINT_CUBM name() : storage(nullptr) {}                                                      \
    BARLINT_CUBM name(TempStorage &s) : storage(&s) {}                                             \
    /* Each warp leaves something for the others there; all threads read it, or the first one. */  \
    BARLINT_CUBM void barlint_meet(bool everyone) {                                                \
        unsigned int rank = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);   \
        if (rank % 32 == 0)                                                                        \
            storage->bytes[rank / 32] = 0;                                                         \
        __syncthreads();                                                                           \
        if (everyone || rank == 0) {                                                               \
            unsigned char first = storage->bytes[0], second = storage->bytes[1];                   \
            (void)first;                                                                           \
            (void)second;                                                                          \
        }                                                                                          \
    }

// Whether a block of so many threads has to meet. Says as well how many threads the block has, to
// whoever knows no launch of the kernel.
BARLINT_CUB bool barlint_block_meets(int threads) { return threads > 32; }

template <typename T, int x, BlockReduceAlgorithm algorithm = BLOCK_REDUCE_WARP_REDUCTIONS,
          int y = 1, int z = 1, int arch = 0>
class BlockReduce {
  public:
    BARLINT_CUB_STORAGE(BlockReduce, T, x *y *z)
    template <typename I, typename F> BARLINT_CUBM T Reduce(const I &input, F op) {
        if (barlint_block_meets(x * y * z)) {
            barlint_meet(false);
        } else {
            __ballot_sync(WarpMask<x * y * z>(0), true);
        }
        return op(barlint_first(input), barlint_first(input));
    }
    template <typename I, typename F> BARLINT_CUBM T Reduce(const I &input, F op, int) {
        return Reduce(input, op);
    }
    template <typename I> BARLINT_CUBM T Sum(const I &input) {
        if (barlint_block_meets(x * y * z)) {
            barlint_meet(false);
        } else {
            __ballot_sync(WarpMask<x * y * z>(0), true);
        }
        return barlint_first(input);
    }
    template <typename I> BARLINT_CUBM T Sum(const I &input, int) { return Sum(input); }
    // Named by the number of elements, as in Sum<4>(values).
    template <int n, typename F> BARLINT_CUBM T Reduce(T (&input)[n], F op) {
        const T &first = input[0];
        return Reduce(first, op);
    }
    template <int n> BARLINT_CUBM T Sum(T (&input)[n]) {
        const T &first = input[0];
        return Sum(first);
    }

  private:
    template <typename I> static BARLINT_CUBM const I &barlint_first(const I &v) { return v; }
    template <typename I, int n> static BARLINT_CUBM const I &barlint_first(const I (&v)[n]) {
        return v[0];
    }
};

template <typename T, int x, BlockScanAlgorithm algorithm = BLOCK_SCAN_RAKING, int y = 1, int z = 1,
          int arch = 0>
class BlockScan {
  public:
    BARLINT_CUB_STORAGE(BlockScan, T, x *y *z)
#define BARLINT_CUB_SCAN(name)                                                                     \
    template <typename I, typename O, typename... A>                                               \
    BARLINT_CUBM void name(const I &input, O &output, A &&...) {                                   \
        if (barlint_block_meets(x * y * z)) {                                                      \
            barlint_meet(true);                                                                    \
        }                                                                                          \
        barlint_copy(input, output);                                                               \
    }                                                                                              \
    template <int n, typename... A>                                                                \
    BARLINT_CUBM void name(T(&input)[n], T(&output)[n], A &&...) {                                 \
        if (barlint_block_meets(x * y * z)) {                                                      \
            barlint_meet(true);                                                                    \
        }                                                                                          \
        barlint_copy(input, output);                                                               \
    }
    BARLINT_CUB_SCAN(ExclusiveSum)
    BARLINT_CUB_SCAN(InclusiveSum)
    BARLINT_CUB_SCAN(ExclusiveScan)
    BARLINT_CUB_SCAN(InclusiveScan)

  private:
    template <typename I, typename O>
    static BARLINT_CUBM void barlint_copy(const I &input, O &output) {
        output = input;
    }
    template <typename I, typename O, int n>
    static BARLINT_CUBM void barlint_copy(const I (&input)[n], O (&output)[n]) {
        for (int i = 0; i < n; ++i) {
            output[i] = input[i];
        }
    }
};

template <typename T, int x, int items, BlockLoadAlgorithm algorithm = BLOCK_LOAD_DIRECT, int y = 1,
          int z = 1, int arch = 0>
class BlockLoad {
  public:
    BARLINT_CUB_STORAGE(BlockLoad, T, x *y *z *items)
    template <typename I, typename... A> BARLINT_CUBM void Load(I in, T (&out)[items], A...) {
        if (algorithm == BLOCK_LOAD_TRANSPOSE ||
            algorithm == BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED) {
            barlint_meet(true);
        }
        for (int i = 0; i < items; ++i) {
            out[i] = in[i];
        }
    }
};
template <typename T, int x, int items, BlockStoreAlgorithm algorithm = BLOCK_STORE_DIRECT,
          int y = 1, int z = 1, int arch = 0>
class BlockStore {
  public:
    BARLINT_CUB_STORAGE(BlockStore, T, x *y *z *items)
    template <typename O, typename... A> BARLINT_CUBM void Store(O out, T (&in)[items], A...) {
        if (algorithm == BLOCK_STORE_TRANSPOSE ||
            algorithm == BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED) {
            barlint_meet(true);
        }
        for (int i = 0; i < items; ++i) {
            out[i] = in[i];
        }
    }
};

#define BARLINT_CUB_COLLECTIVE(name)                                                               \
    template <typename... A> BARLINT_CUBM void name(A &&...) { barlint_meet(true); }               \
    template <int n, typename... A> BARLINT_CUBM void name(A &&...) { barlint_meet(true); }
template <typename K, int x, int items, typename V = NullType, int... rest> class BlockRadixSort {
  public:
    BARLINT_CUB_STORAGE(BlockRadixSort, K, x *items)
    BARLINT_CUB_COLLECTIVE(Sort)
    BARLINT_CUB_COLLECTIVE(SortDescending)
    BARLINT_CUB_COLLECTIVE(SortBlockedToStriped)
    BARLINT_CUB_COLLECTIVE(SortDescendingBlockedToStriped)
};
template <typename K, int x, int items, typename V = NullType, int y = 1, int z = 1>
class BlockMergeSort {
  public:
    BARLINT_CUB_STORAGE(BlockMergeSort, K, x *y *z *items)
    BARLINT_CUB_COLLECTIVE(Sort)
    BARLINT_CUB_COLLECTIVE(StableSort)
};
template <typename T, int x, int items, bool time_slicing = false, int y = 1, int z = 1,
          int arch = 0>
class BlockExchange {
  public:
    BARLINT_CUB_STORAGE(BlockExchange, T, x *y *z *items)
    BARLINT_CUB_COLLECTIVE(StripedToBlocked)
    BARLINT_CUB_COLLECTIVE(BlockedToStriped)
    BARLINT_CUB_COLLECTIVE(WarpStripedToBlocked)
    BARLINT_CUB_COLLECTIVE(BlockedToWarpStriped)
    BARLINT_CUB_COLLECTIVE(ScatterToBlocked)
    BARLINT_CUB_COLLECTIVE(ScatterToStriped)
};
template <typename T, int x, int y = 1, int z = 1, int arch = 0> class BlockDiscontinuity {
  public:
    BARLINT_CUB_STORAGE(BlockDiscontinuity, T, x *y *z)
    BARLINT_CUB_COLLECTIVE(FlagHeads)
    BARLINT_CUB_COLLECTIVE(FlagTails)
    BARLINT_CUB_COLLECTIVE(FlagHeadsAndTails)
};
template <typename T, int x, int y = 1, int z = 1, int arch = 0> class BlockAdjacentDifference {
  public:
    BARLINT_CUB_STORAGE(BlockAdjacentDifference, T, x *y *z)
    BARLINT_CUB_COLLECTIVE(SubtractLeft)
    BARLINT_CUB_COLLECTIVE(SubtractRight)
};
template <typename T, int x, int items, int bins,
          BlockHistogramAlgorithm algorithm = BLOCK_HISTO_SORT, int y = 1, int z = 1, int arch = 0>
class BlockHistogram {
  public:
    BARLINT_CUB_STORAGE(BlockHistogram, T, x *y *z *items)
    BARLINT_CUB_COLLECTIVE(InitHistogram)
    BARLINT_CUB_COLLECTIVE(Histogram)
    BARLINT_CUB_COLLECTIVE(Composite)
};
template <typename T, int x, int y = 1, int z = 1, int arch = 0> class BlockShuffle {
  public:
    BARLINT_CUB_STORAGE(BlockShuffle, T, x *y *z)
    BARLINT_CUB_COLLECTIVE(Offset)
    BARLINT_CUB_COLLECTIVE(Rotate)
    BARLINT_CUB_COLLECTIVE(Up)
    BARLINT_CUB_COLLECTIVE(Down)
};

template <typename T, int threads = 32, int arch = 0> class WarpReduce {
  public:
    BARLINT_CUB_STORAGE(WarpReduce, T, 1)
    BARLINT_CUBM T Sum(T input) { return input; }
    BARLINT_CUBM T Sum(T input, int) { return input; }
    template <typename F> BARLINT_CUBM T Reduce(T input, F op) { return op(input, input); }
    template <typename F> BARLINT_CUBM T Reduce(T input, F op, int) { return op(input, input); }
    template <typename H> BARLINT_CUBM T HeadSegmentedSum(T input, H) { return input; }
    template <typename H> BARLINT_CUBM T TailSegmentedSum(T input, H) { return input; }
};
template <typename T, int threads = 32, int arch = 0> class WarpScan {
  public:
    BARLINT_CUB_STORAGE(WarpScan, T, 1)
#define BARLINT_CUB_WARP_SCAN(name)                                                                \
    template <typename... A> BARLINT_CUBM void name(T input, T &output, A &&...) { output = input; }
    BARLINT_CUB_WARP_SCAN(InclusiveSum)
    BARLINT_CUB_WARP_SCAN(ExclusiveSum)
    BARLINT_CUB_WARP_SCAN(InclusiveScan)
    BARLINT_CUB_WARP_SCAN(ExclusiveScan)
    BARLINT_CUBM T Broadcast(T input, unsigned int) { return input; }
};
template <typename T, int items, int threads = 32, typename V = NullType> class WarpMergeSort {
  public:
    BARLINT_CUB_STORAGE(WarpMergeSort, T, 1)
    template <typename... A> BARLINT_CUBM void Sort(A &&...) {}
};

BARLINT_CUB unsigned int LaneId() {
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) & 31;
}
BARLINT_CUB unsigned int WarpId() {
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / 32;
}
BARLINT_CUB int RowMajorTid(int x, int y, int) {
    return threadIdx.x + x * (threadIdx.y + y * threadIdx.z);
}
BARLINT_CUB void CTA_SYNC() { __syncthreads(); }
BARLINT_CUB void WARP_SYNC(unsigned int mask) { __syncwarp(mask); }
BARLINT_CUB int CTA_SYNC_OR(int p) { return __syncthreads_or(p); }
BARLINT_CUB int CTA_SYNC_AND(int p) { return __syncthreads_and(p); }
template <CacheLoadModifier m, typename T> BARLINT_CUB T ThreadLoad(T *p) { return *p; }
template <CacheStoreModifier m, typename T> BARLINT_CUB void ThreadStore(T *p, T v) { *p = v; }
template <int threads, typename T> BARLINT_CUB T ShuffleIndex(T v, int lane, unsigned int mask) {
    return __shfl_sync(mask, v, lane, threads);
}
template <int threads, typename T>
BARLINT_CUB T ShuffleDown(T v, int delta, int, unsigned int mask) {
    return __shfl_down_sync(mask, v, delta, threads);
}
template <int threads, typename T> BARLINT_CUB T ShuffleUp(T v, int delta, int, unsigned int mask) {
    return __shfl_up_sync(mask, v, delta, threads);
}
#define BARLINT_CUB_DIRECT(name)                                                                   \
    template <typename... A> BARLINT_CUB void name(A &&...) {}
BARLINT_CUB_DIRECT(LoadDirectBlocked)
BARLINT_CUB_DIRECT(LoadDirectStriped)
BARLINT_CUB_DIRECT(LoadDirectWarpStriped)
BARLINT_CUB_DIRECT(StoreDirectBlocked)
BARLINT_CUB_DIRECT(StoreDirectStriped)
BARLINT_CUB_DIRECT(StoreDirectWarpStriped)

// Device-wide algorithms.
#define BARLINT_CUB_DEVICE(name)                                                                   \
    template <typename... Named, typename... A>                                                    \
    static __host__ __device__ cudaError_t name(A &&...) {                                         \
        return cudaSuccess;                                                                        \
    }
struct DeviceReduce {
    BARLINT_CUB_DEVICE(Reduce)
    BARLINT_CUB_DEVICE(Sum)
    BARLINT_CUB_DEVICE(Min)
    BARLINT_CUB_DEVICE(Max)
    BARLINT_CUB_DEVICE(ArgMin)
    BARLINT_CUB_DEVICE(ArgMax)
    BARLINT_CUB_DEVICE(ReduceByKey)
    BARLINT_CUB_DEVICE(TransformReduce)
};
struct DeviceSegmentedReduce : DeviceReduce {};
struct DeviceScan {
    BARLINT_CUB_DEVICE(ExclusiveSum)
    BARLINT_CUB_DEVICE(InclusiveSum)
    BARLINT_CUB_DEVICE(ExclusiveScan)
    BARLINT_CUB_DEVICE(InclusiveScan)
    BARLINT_CUB_DEVICE(ExclusiveSumByKey)
    BARLINT_CUB_DEVICE(InclusiveSumByKey)
    BARLINT_CUB_DEVICE(ExclusiveScanByKey)
    BARLINT_CUB_DEVICE(InclusiveScanByKey)
};
struct DeviceRadixSort {
    BARLINT_CUB_DEVICE(SortPairs)
    BARLINT_CUB_DEVICE(SortPairsDescending)
    BARLINT_CUB_DEVICE(SortKeys)
    BARLINT_CUB_DEVICE(SortKeysDescending)
};
struct DeviceSegmentedRadixSort : DeviceRadixSort {};
struct DeviceMergeSort : DeviceRadixSort {
    BARLINT_CUB_DEVICE(SortPairsCopy)
    BARLINT_CUB_DEVICE(SortKeysCopy)
    BARLINT_CUB_DEVICE(StableSortPairs)
    BARLINT_CUB_DEVICE(StableSortKeys)
    BARLINT_CUB_DEVICE(StableSortKeysCopy)
};
struct DeviceSegmentedSort : DeviceRadixSort {
    BARLINT_CUB_DEVICE(StableSortPairs)
    BARLINT_CUB_DEVICE(StableSortPairsDescending)
    BARLINT_CUB_DEVICE(StableSortKeys)
    BARLINT_CUB_DEVICE(StableSortKeysDescending)
};
struct DeviceSelect {
    BARLINT_CUB_DEVICE(Flagged)
    BARLINT_CUB_DEVICE(If)
    BARLINT_CUB_DEVICE(Unique)
    BARLINT_CUB_DEVICE(UniqueByKey)
    BARLINT_CUB_DEVICE(FlaggedIf)
};
struct DevicePartition : DeviceSelect {};
struct DeviceRunLengthEncode {
    BARLINT_CUB_DEVICE(Encode)
    BARLINT_CUB_DEVICE(NonTrivialRuns)
};
struct DeviceAdjacentDifference {
    BARLINT_CUB_DEVICE(SubtractLeft)
    BARLINT_CUB_DEVICE(SubtractLeftCopy)
    BARLINT_CUB_DEVICE(SubtractRight)
    BARLINT_CUB_DEVICE(SubtractRightCopy)
};
struct DeviceMemcpy {
    BARLINT_CUB_DEVICE(Batched)
};
struct DeviceCopy {
    BARLINT_CUB_DEVICE(Batched)
};
struct DeviceTransform {
    BARLINT_CUB_DEVICE(Transform)
    BARLINT_CUB_DEVICE(Fill)
};
struct DeviceHistogram {
    BARLINT_CUB_DEVICE(HistogramEven)
    BARLINT_CUB_DEVICE(HistogramRange)
};
struct DeviceFor {
    BARLINT_CUB_DEVICE(Bulk)
    BARLINT_CUB_DEVICE(ForEach)
    BARLINT_CUB_DEVICE(ForEachN)
};

template <typename T> struct DoubleBuffer {
    T *d_buffers[2];
    int selector;
    DoubleBuffer() = default;
    __host__ __device__ DoubleBuffer(T *a, T *b) : selector(0) {
        d_buffers[0] = a;
        d_buffers[1] = b;
    }
    __host__ __device__ T *Current() { return d_buffers[selector]; }
    __host__ __device__ T *Alternate() { return d_buffers[selector ^ 1]; }
};
template <typename T, typename D = ptrdiff_t> struct CountingInputIterator {
    T value;
    __host__ __device__ CountingInputIterator(T v) : value(v) {}
    __host__ __device__ T operator[](D i) const { return value + i; }
    __host__ __device__ T operator*() const { return value; }
    __host__ __device__ CountingInputIterator operator+(D n) const { return value + n; }
};
template <typename V, typename F, typename I, typename D = ptrdiff_t>
struct TransformInputIterator {
    I input;
    F op;
    __host__ __device__ TransformInputIterator(I i, F f) : input(i), op(f) {}
    __host__ __device__ V operator[](D i) const { return op(input[i]); }
};
struct CachingDeviceAllocator {
    template <typename... A> CachingDeviceAllocator(A...) {}
    template <typename T> cudaError_t DeviceAllocate(T **p, size_t size, cudaStream_t stream = 0);
    cudaError_t DeviceFree(void *p);
};

} // namespace cub

#endif
