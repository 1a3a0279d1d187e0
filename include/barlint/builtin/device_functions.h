// Device intrinsics: barriers, warp collectives, fences, atomics, loads with cache hints, address
// spaces, bit operations, clocks. Declarations only, but for what is plain arithmetic.
#ifndef BARLINT_DEVICE_FUNCTIONS_H
#define BARLINT_DEVICE_FUNCTIONS_H

#include "device_launch_parameters.h"

#define BARLINT_D __device__
#define BARLINT_DI static inline __device__ __attribute__((always_inline))

// Block barriers. __syncthreads itself is a builtin of clang.
BARLINT_D int __syncthreads_count(int predicate);
BARLINT_D int __syncthreads_and(int predicate);
BARLINT_D int __syncthreads_or(int predicate);
BARLINT_D void __barrier_sync(unsigned int id);
BARLINT_D void __barrier_sync_count(unsigned int id, unsigned int count);

// Cluster barrier and the cluster's shared memory.
BARLINT_D void __cluster_barrier_arrive();
BARLINT_D void __cluster_barrier_arrive_relaxed();
BARLINT_D void __cluster_barrier_wait();
BARLINT_D void *__cluster_map_shared_rank(const void *address, unsigned int rank);
BARLINT_D unsigned int __cluster_map_shared_multicast(const void *address, unsigned int mask);
BARLINT_D unsigned int __cluster_query_shared_rank(const void *address);
BARLINT_D dim3 __clusterDim();
BARLINT_D dim3 __clusterRelativeBlockIdx();
BARLINT_D dim3 __clusterGridDimInClusters();
BARLINT_D dim3 __clusterIdx();
BARLINT_D unsigned int __clusterRelativeBlockRank();
BARLINT_D unsigned int __clusterSizeInBlocks();
BARLINT_D bool __clusterDimIsSpecified();

// Warp.
BARLINT_D void __syncwarp(unsigned int mask = 0xffffffffu);
BARLINT_D unsigned int __activemask();
BARLINT_D int __all_sync(unsigned int mask, int predicate);
BARLINT_D int __any_sync(unsigned int mask, int predicate);
BARLINT_D int __uni_sync(unsigned int mask, int predicate);
BARLINT_D unsigned int __ballot_sync(unsigned int mask, int predicate);
BARLINT_D unsigned int __fns(unsigned int mask, unsigned int base, int offset);
BARLINT_D int __all(int predicate);
BARLINT_D int __any(int predicate);
BARLINT_D unsigned int __ballot(int predicate);

// Shuffles and matches take any type the hardware moves; one template stands for each overload set.
#define BARLINT_SHUFFLE(name, L)                                                                   \
    template <typename T>                                                                          \
    BARLINT_D T name##_sync(unsigned int mask, T value, L lane, int width = 32);                   \
    template <typename T> BARLINT_D T name(T value, L lane, int width = 32);
// The forms without a mask are gone since Volta; older sources still name them.
BARLINT_SHUFFLE(__shfl, int)
BARLINT_SHUFFLE(__shfl_up, unsigned int)
BARLINT_SHUFFLE(__shfl_down, unsigned int)
BARLINT_SHUFFLE(__shfl_xor, int)
template <typename T> BARLINT_D unsigned int __match_any_sync(unsigned int mask, T value);
template <typename T>
BARLINT_D unsigned int __match_all_sync(unsigned int mask, T value, int *predicate);

#define BARLINT_REDUCE(T)                                                                          \
    BARLINT_D T __reduce_add_sync(unsigned int mask, T value);                                     \
    BARLINT_D T __reduce_min_sync(unsigned int mask, T value);                                     \
    BARLINT_D T __reduce_max_sync(unsigned int mask, T value);
BARLINT_REDUCE(int)
BARLINT_REDUCE(unsigned int)
BARLINT_D unsigned int __reduce_and_sync(unsigned int mask, unsigned int value);
BARLINT_D unsigned int __reduce_or_sync(unsigned int mask, unsigned int value);
BARLINT_D unsigned int __reduce_xor_sync(unsigned int mask, unsigned int value);

// Fences, time, control.
BARLINT_D void __threadfence();
BARLINT_D void __threadfence_block();
BARLINT_D void __threadfence_system();
BARLINT_D void __nanosleep(unsigned int nanoseconds);
BARLINT_D long long clock64();
BARLINT_D long long wall_clock64();
BARLINT_D long clock();
BARLINT_D unsigned long long globaltimer();
BARLINT_D __attribute__((noreturn)) void __trap();
BARLINT_D void __brkpt();
BARLINT_D void __prof_trigger(int counter);
BARLINT_D void __pm0();
BARLINT_D void *__nv_ptx_builtin_ocg_fnptr();
static inline __host__ __device__ void __nv_assume(bool) {}
#define __builtin_assume_aligned_nv __builtin_assume_aligned

// Address spaces.
BARLINT_D unsigned int __isGlobal(const void *address);
BARLINT_D unsigned int __isShared(const void *address);
BARLINT_D unsigned int __isClusterShared(const void *address);
BARLINT_D unsigned int __isConstant(const void *address);
BARLINT_D unsigned int __isLocal(const void *address);
BARLINT_D unsigned int __isGridConstant(const void *address);
BARLINT_D size_t __cvta_generic_to_global(const void *address);
BARLINT_D size_t __cvta_generic_to_shared(const void *address);
BARLINT_D size_t __cvta_generic_to_constant(const void *address);
BARLINT_D size_t __cvta_generic_to_local(const void *address);
BARLINT_D size_t __cvta_generic_to_grid_constant(const void *address);
BARLINT_D void *__cvta_global_to_generic(size_t address);
BARLINT_D void *__cvta_shared_to_generic(size_t address);
BARLINT_D void *__cvta_constant_to_generic(size_t address);
BARLINT_D void *__cvta_local_to_generic(size_t address);
BARLINT_D void *__cvta_grid_constant_to_generic(size_t address);
BARLINT_D unsigned int __nvvm_get_smem_pointer(void *address);
BARLINT_D unsigned int __dynamic_smem_size();
BARLINT_D unsigned int __total_smem_size();

// Loads and stores with a cache hint, for every type the hardware has.
template <typename T> BARLINT_DI T __ldg(const T *p) { return *p; }
template <typename T> BARLINT_DI T __ldcg(const T *p) { return *p; }
template <typename T> BARLINT_DI T __ldca(const T *p) { return *p; }
template <typename T> BARLINT_DI T __ldcs(const T *p) { return *p; }
template <typename T> BARLINT_DI T __ldlu(const T *p) { return *p; }
template <typename T> BARLINT_DI T __ldcv(const T *p) { return *p; }
template <typename T, typename U> BARLINT_DI void __stwb(T *p, const U &v) { *p = v; }
template <typename T, typename U> BARLINT_DI void __stcg(T *p, const U &v) { *p = v; }
template <typename T, typename U> BARLINT_DI void __stcs(T *p, const U &v) { *p = v; }
template <typename T, typename U> BARLINT_DI void __stwt(T *p, const U &v) { *p = v; }

// Atomics, each in block, device and system scope; one template stands for each overload set.
#define BARLINT_ATOMIC(name)                                                                       \
    template <typename T, typename U> BARLINT_D T name(T *address, U value);                       \
    template <typename T, typename U> BARLINT_D T name##_block(T *address, U value);               \
    template <typename T, typename U> BARLINT_D T name##_system(T *address, U value);
BARLINT_ATOMIC(atomicAdd)
BARLINT_ATOMIC(atomicSub)
BARLINT_ATOMIC(atomicExch)
BARLINT_ATOMIC(atomicMin)
BARLINT_ATOMIC(atomicMax)
BARLINT_ATOMIC(atomicInc)
BARLINT_ATOMIC(atomicDec)
BARLINT_ATOMIC(atomicAnd)
BARLINT_ATOMIC(atomicOr)
BARLINT_ATOMIC(atomicXor)
template <typename T, typename U, typename V> BARLINT_D T atomicCAS(T *address, U compare, V value);
template <typename T, typename U, typename V>
BARLINT_D T atomicCAS_block(T *address, U compare, V value);
template <typename T, typename U, typename V>
BARLINT_D T atomicCAS_system(T *address, U compare, V value);

// The generic atomics of CUDA 12.8.
enum {
    __NV_ATOMIC_RELAXED,
    __NV_ATOMIC_CONSUME,
    __NV_ATOMIC_ACQUIRE,
    __NV_ATOMIC_RELEASE,
    __NV_ATOMIC_ACQ_REL,
    __NV_ATOMIC_SEQ_CST
};
enum {
    __NV_THREAD_SCOPE_THREAD,
    __NV_THREAD_SCOPE_BLOCK,
    __NV_THREAD_SCOPE_CLUSTER,
    __NV_THREAD_SCOPE_DEVICE,
    __NV_THREAD_SCOPE_SYSTEM
};
#include "../nv_atomic.h"

// Bits and integers.
BARLINT_DI int __popc(unsigned int x) { return __builtin_popcount(x); }
BARLINT_DI int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
BARLINT_DI int __clz(int x) { return x ? __builtin_clz((unsigned int)x) : 32; }
BARLINT_DI int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
BARLINT_DI int __ffs(int x) { return __builtin_ffs(x); }
BARLINT_DI int __ffsll(long long x) { return __builtin_ffsll(x); }
BARLINT_D unsigned int __brev(unsigned int x);
BARLINT_D unsigned long long __brevll(unsigned long long x);
BARLINT_D unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int s);
BARLINT_D unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift);
BARLINT_D unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift);
BARLINT_D unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift);
BARLINT_D unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift);
BARLINT_DI int __mul24(int x, int y) { return x * y; }
BARLINT_DI unsigned int __umul24(unsigned int x, unsigned int y) { return x * y; }
BARLINT_DI int mul24(int x, int y) { return x * y; }
BARLINT_DI unsigned int umul24(unsigned int x, unsigned int y) { return x * y; }
BARLINT_DI int __mulhi(int x, int y) { return (int)(((long long)x * y) >> 32); }
BARLINT_DI unsigned int __umulhi(unsigned int x, unsigned int y) {
    return (unsigned int)(((unsigned long long)x * y) >> 32);
}
BARLINT_D long long __mul64hi(long long x, long long y);
BARLINT_D unsigned long long __umul64hi(unsigned long long x, unsigned long long y);
BARLINT_DI int mulhi(int x, int y) { return __mulhi(x, y); }
BARLINT_DI unsigned int mulhi(unsigned int x, unsigned int y) { return __umulhi(x, y); }
BARLINT_D int __hadd(int x, int y);
BARLINT_D int __rhadd(int x, int y);
BARLINT_D unsigned int __uhadd(unsigned int x, unsigned int y);
BARLINT_D unsigned int __urhadd(unsigned int x, unsigned int y);
BARLINT_D unsigned int __sad(int x, int y, unsigned int z);
BARLINT_D unsigned int __usad(unsigned int x, unsigned int y, unsigned int z);
BARLINT_D int __dp4a(int a, int b, int c);
BARLINT_D unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c);
BARLINT_D int __dp4a(char4 a, char4 b, int c);
BARLINT_D unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c);
BARLINT_D int __dp2a_lo(int a, int b, int c);
BARLINT_D unsigned int __dp2a_lo(unsigned int a, unsigned int b, unsigned int c);
BARLINT_D int __dp2a_hi(int a, int b, int c);
BARLINT_D unsigned int __dp2a_hi(unsigned int a, unsigned int b, unsigned int c);
// Three-operand minimum and maximum (DPX), and packed bytes and halfwords in one word. Nothing
// follows their values, so one function stands for each shape.
template <typename T> BARLINT_D T __vimax3_s32(T a, T b, T c);
#define __vimax3_s32_relu __vimax3_s32
#define __vimax3_u32 __vimax3_s32
#define __vimax3_s16x2 __vimax3_s32
#define __vimax3_s16x2_relu __vimax3_s32
#define __vimax3_u16x2 __vimax3_s32
#define __vimin3_s32 __vimax3_s32
#define __vimin3_s32_relu __vimax3_s32
#define __vimin3_u32 __vimax3_s32
#define __vimin3_s16x2 __vimax3_s32
#define __vimin3_s16x2_relu __vimax3_s32
#define __vimin3_u16x2 __vimax3_s32
#define __viaddmax_s32 __vimax3_s32
#define __viaddmax_s32_relu __vimax3_s32
#define __viaddmax_u32 __vimax3_s32
#define __viaddmax_s16x2 __vimax3_s32
#define __viaddmax_s16x2_relu __vimax3_s32
#define __viaddmax_u16x2 __vimax3_s32
#define __viaddmin_s32 __vimax3_s32
#define __viaddmin_s32_relu __vimax3_s32
#define __viaddmin_u32 __vimax3_s32
#define __viaddmin_s16x2 __vimax3_s32
#define __viaddmin_s16x2_relu __vimax3_s32
#define __viaddmin_u16x2 __vimax3_s32
template <typename T> BARLINT_D T __vimax_s32_relu(T a, T b);
#define __vimax_s16x2_relu __vimax_s32_relu
#define __vimin_s32_relu __vimax_s32_relu
#define __vimin_s16x2_relu __vimax_s32_relu
template <typename T> BARLINT_D T __vibmax_s32(T a, T b, bool *first);
#define __vibmax_u32 __vibmax_s32
#define __vibmin_s32 __vibmax_s32
#define __vibmin_u32 __vibmax_s32
BARLINT_D unsigned int __vibmax_s16x2(unsigned int a, unsigned int b, bool *high, bool *low);
#define __vibmax_u16x2 __vibmax_s16x2
#define __vibmin_s16x2 __vibmax_s16x2
#define __vibmin_u16x2 __vibmax_s16x2
BARLINT_D unsigned int __vadd2(unsigned int a, unsigned int b);
BARLINT_D unsigned int __vabs2(unsigned int a);
#define __vadd4 __vadd2
#define __vaddss2 __vadd2
#define __vaddss4 __vadd2
#define __vaddus2 __vadd2
#define __vaddus4 __vadd2
#define __vsub2 __vadd2
#define __vsub4 __vadd2
#define __vsubss2 __vadd2
#define __vsubss4 __vadd2
#define __vsubus2 __vadd2
#define __vsubus4 __vadd2
#define __vabsdiffs2 __vadd2
#define __vabsdiffs4 __vadd2
#define __vabsdiffu2 __vadd2
#define __vabsdiffu4 __vadd2
#define __vavgs2 __vadd2
#define __vavgs4 __vadd2
#define __vavgu2 __vadd2
#define __vavgu4 __vadd2
#define __vhaddu2 __vadd2
#define __vhaddu4 __vadd2
#define __vmaxs2 __vadd2
#define __vmaxs4 __vadd2
#define __vmaxu2 __vadd2
#define __vmaxu4 __vadd2
#define __vmins2 __vadd2
#define __vmins4 __vadd2
#define __vminu2 __vadd2
#define __vminu4 __vadd2
#define __vsads2 __vadd2
#define __vsads4 __vadd2
#define __vsadu2 __vadd2
#define __vsadu4 __vadd2
#define __vcmpeq2 __vadd2
#define __vcmpeq4 __vadd2
#define __vcmpne2 __vadd2
#define __vcmpne4 __vadd2
#define __vcmpges2 __vadd2
#define __vcmpges4 __vadd2
#define __vcmpgeu2 __vadd2
#define __vcmpgeu4 __vadd2
#define __vcmpgts2 __vadd2
#define __vcmpgts4 __vadd2
#define __vcmpgtu2 __vadd2
#define __vcmpgtu4 __vadd2
#define __vcmples2 __vadd2
#define __vcmples4 __vadd2
#define __vcmpleu2 __vadd2
#define __vcmpleu4 __vadd2
#define __vcmplts2 __vadd2
#define __vcmplts4 __vadd2
#define __vcmpltu2 __vadd2
#define __vcmpltu4 __vadd2
#define __vseteq2 __vadd2
#define __vseteq4 __vadd2
#define __vsetne2 __vadd2
#define __vsetne4 __vadd2
#define __vsetges2 __vadd2
#define __vsetges4 __vadd2
#define __vsetgeu2 __vadd2
#define __vsetgeu4 __vadd2
#define __vsetgts2 __vadd2
#define __vsetgts4 __vadd2
#define __vsetgtu2 __vadd2
#define __vsetgtu4 __vadd2
#define __vsetles2 __vadd2
#define __vsetles4 __vadd2
#define __vsetleu2 __vadd2
#define __vsetleu4 __vadd2
#define __vsetlts2 __vadd2
#define __vsetlts4 __vadd2
#define __vsetltu2 __vadd2
#define __vsetltu4 __vadd2
#define __vabs4 __vabs2
#define __vabsss2 __vabs2
#define __vabsss4 __vabs2
#define __vneg2 __vabs2
#define __vneg4 __vabs2
#define __vnegss2 __vabs2
#define __vnegss4 __vabs2

// Programmatic dependent launch.
BARLINT_D void cudaGridDependencySynchronize();
BARLINT_D void cudaTriggerProgrammaticLaunchCompletion();

// The C library as device code has it.
extern "C" {
BARLINT_D int printf(const char *format, ...);
BARLINT_D int vprintf(const char *format, const char *arguments);
BARLINT_D void *malloc(size_t size) __attribute__((nothrow));
BARLINT_D void free(void *block) __attribute__((nothrow));
BARLINT_D void __assertfail(const char *message, const char *file, unsigned int line,
                            const char *function, size_t char_size);
BARLINT_D void __assert_fail(const char *message, const char *file, unsigned int line,
                             const char *function);
}
BARLINT_D void *memcpy(void *to, const void *from, size_t size);
BARLINT_D void *memmove(void *to, const void *from, size_t size);
BARLINT_D void *memset(void *to, int value, size_t size);
BARLINT_D int memcmp(const void *a, const void *b, size_t size);
BARLINT_D void *alloca(size_t size);
BARLINT_D void *__nv_aligned_device_malloc(size_t size, size_t align);

// Objects made in place. <new>, where it comes, gives these bodies.
BARLINT_D void *operator new(size_t, void *place) noexcept;
BARLINT_D void *operator new[](size_t, void *place) noexcept;

#endif
