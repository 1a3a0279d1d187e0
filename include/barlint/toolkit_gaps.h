// Functions that nvcc knows by itself and neither clang nor the toolkit's headers declare for
// clang.
#ifndef BARLINT_TOOLKIT_GAPS_H
#define BARLINT_TOOLKIT_GAPS_H

#define BARLINT_GAP static inline __attribute__((device)) __attribute__((always_inline))

#ifndef __NV_ATOMIC_RELAXED
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
#endif
#include "nv_atomic.h"

// Packed float arithmetic of sm_100. A template yields to a header's own function.
#define BARLINT_FLOAT2(mode)                                                                       \
    template <typename T> BARLINT_GAP T __fadd2_##mode(T a, T b)                                   \
    {                                                                                              \
        return {a.x + b.x, a.y + b.y};                                                             \
    }                                                                                              \
    template <typename T> BARLINT_GAP T __fmul2_##mode(T a, T b)                                   \
    {                                                                                              \
        return {a.x * b.x, a.y * b.y};                                                             \
    }                                                                                              \
    template <typename T> BARLINT_GAP T __ffma2_##mode(T a, T b, T c)                              \
    {                                                                                              \
        return {a.x * b.x + c.x, a.y * b.y + c.y};                                                 \
    }
BARLINT_FLOAT2(rn)
BARLINT_FLOAT2(rz)
BARLINT_FLOAT2(ru)
BARLINT_FLOAT2(rd)
#undef BARLINT_FLOAT2

// Loads and stores with a cache hint.
template <typename T> BARLINT_GAP T __ldcg(const T *p)
{
    return *p;
}
template <typename T> BARLINT_GAP T __ldca(const T *p)
{
    return *p;
}
template <typename T> BARLINT_GAP T __ldcs(const T *p)
{
    return *p;
}
template <typename T> BARLINT_GAP T __ldlu(const T *p)
{
    return *p;
}
template <typename T> BARLINT_GAP T __ldcv(const T *p)
{
    return *p;
}
template <typename T, typename U> BARLINT_GAP void __stwb(T *p, const U &v)
{
    *p = v;
}
template <typename T, typename U> BARLINT_GAP void __stcg(T *p, const U &v)
{
    *p = v;
}
template <typename T, typename U> BARLINT_GAP void __stcs(T *p, const U &v)
{
    *p = v;
}
template <typename T, typename U> BARLINT_GAP void __stwt(T *p, const U &v)
{
    *p = v;
}

// Atomics of 16 bytes, sm_90; the toolkit has them for nvcc alone.
template <typename T, char (*)[sizeof(T) == 16 ? 1 : -1] = nullptr>
__attribute__((device)) T atomicCAS(T *address, T compare, T value);
template <typename T, char (*)[sizeof(T) == 16 ? 1 : -1] = nullptr>
__attribute__((device)) T atomicCAS_block(T *address, T compare, T value);
template <typename T, char (*)[sizeof(T) == 16 ? 1 : -1] = nullptr>
__attribute__((device)) T atomicCAS_system(T *address, T compare, T value);
template <typename T, char (*)[sizeof(T) == 16 ? 1 : -1] = nullptr>
__attribute__((device)) T atomicExch(T *address, T value);
template <typename T, char (*)[sizeof(T) == 16 ? 1 : -1] = nullptr>
__attribute__((device)) T atomicExch_block(T *address, T value);
template <typename T, char (*)[sizeof(T) == 16 ? 1 : -1] = nullptr>
__attribute__((device)) T atomicExch_system(T *address, T value);

// nvcc gives min and max to host code too, and to mixtures of types.
#define BARLINT_HD_MINMAX(R, A, B)                                                                 \
    static inline __attribute__((host)) constexpr R min(A a, B b)                                  \
    {                                                                                              \
        return (R)a < (R)b ? (R)a : (R)b;                                                          \
    }                                                                                              \
    static inline __attribute__((host)) constexpr R max(A a, B b)                                  \
    {                                                                                              \
        return (R)a < (R)b ? (R)b : (R)a;                                                          \
    }
#include "minmax.h"
#undef BARLINT_HD_MINMAX

using std::isfinite;
using std::isinf;
using std::isnan;

#if CUDA_VERSION < 12000
// CUDA 11's CUB calls it from functions of both sides; the toolkit has the device form.
extern "C" __attribute__((host)) cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance(void);

// CUDA 11 takes a kernel as `const T *`, which clang does not deduce from a function.
template <typename... P>
cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void **arguments,
                             size_t shared = 0, cudaStream_t stream = 0);
template <typename... P>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block,
                                        void **arguments, size_t shared = 0,
                                        cudaStream_t stream = 0);
#endif

// Texture references went with CUDA 12; old sources still declare them at file scope.
#if CUDA_VERSION >= 12000
template <typename T, int dimensions = 1, cudaTextureReadMode mode = cudaReadModeElementType>
struct texture {
    int normalized;
    cudaTextureFilterMode filterMode;
    cudaTextureAddressMode addressMode[3];
    cudaChannelFormatDesc channelDesc;
};
template <typename T, int d, cudaTextureReadMode m>
__attribute__((device)) T tex1Dfetch(texture<T, d, m> t, int x);
template <typename T, int d, cudaTextureReadMode m>
__attribute__((device)) T tex1D(texture<T, d, m> t, float x);
template <typename T, int d, cudaTextureReadMode m>
__attribute__((device)) T tex2D(texture<T, d, m> t, float x, float y);
template <typename T, int d, cudaTextureReadMode m>
__attribute__((device)) T tex3D(texture<T, d, m> t, float x, float y, float z);
template <typename T, int d, cudaTextureReadMode m>
cudaError_t cudaBindTexture(size_t *offset, texture<T, d, m> &t, const void *p,
                            size_t size = ~size_t(0));
template <typename T, int d, cudaTextureReadMode m>
cudaError_t cudaBindTextureToArray(texture<T, d, m> &t, cudaArray_const_t array);
template <typename T, int d, cudaTextureReadMode m>
cudaError_t cudaUnbindTexture(texture<T, d, m> &t);
#endif

#endif
