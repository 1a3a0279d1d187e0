// The __nv_atomic_* functions of CUDA 12.8, which nvcc knows as builtins. Memory orders and scopes
// are the __NV_ATOMIC_* and __NV_THREAD_SCOPE_* numbers.
#ifndef BARLINT_NV_ATOMIC_H
#define BARLINT_NV_ATOMIC_H

template <typename T>
__device__ T __nv_atomic_load_n(const T *address, int order, int scope = __NV_THREAD_SCOPE_SYSTEM);
template <typename T>
__device__ void __nv_atomic_load(const T *address, T *result, int order,
                                 int scope = __NV_THREAD_SCOPE_SYSTEM);
template <typename T, typename U>
__device__ void __nv_atomic_store_n(T *address, U value, int order,
                                    int scope = __NV_THREAD_SCOPE_SYSTEM);
template <typename T>
__device__ void __nv_atomic_store(T *address, T *value, int order,
                                  int scope = __NV_THREAD_SCOPE_SYSTEM);
template <typename T, typename U>
__device__ T __nv_atomic_exchange_n(T *address, U value, int order,
                                    int scope = __NV_THREAD_SCOPE_SYSTEM);
template <typename T>
__device__ void __nv_atomic_exchange(T *address, T *value, T *result, int order,
                                     int scope = __NV_THREAD_SCOPE_SYSTEM);
template <typename T, typename U>
__device__ bool __nv_atomic_compare_exchange_n(T *address, T *expected, U desired, bool weak,
                                               int success, int failure,
                                               int scope = __NV_THREAD_SCOPE_SYSTEM);
template <typename T>
__device__ bool __nv_atomic_compare_exchange(T *address, T *expected, T *desired, bool weak,
                                             int success, int failure,
                                             int scope = __NV_THREAD_SCOPE_SYSTEM);
#define BARLINT_NV_ATOMIC_FETCH(name)                                                              \
    template <typename T, typename U>                                                              \
    __device__ T __nv_atomic_fetch_##name(T *address, U value, int order,                          \
                                          int scope = __NV_THREAD_SCOPE_SYSTEM);                   \
    template <typename T, typename U>                                                              \
    __device__ void __nv_atomic_##name(T *address, U value, int order,                             \
                                       int scope = __NV_THREAD_SCOPE_SYSTEM);
BARLINT_NV_ATOMIC_FETCH(add)
BARLINT_NV_ATOMIC_FETCH(sub)
BARLINT_NV_ATOMIC_FETCH(and)
BARLINT_NV_ATOMIC_FETCH(or)
BARLINT_NV_ATOMIC_FETCH(xor)
BARLINT_NV_ATOMIC_FETCH(min)
BARLINT_NV_ATOMIC_FETCH(max)
#undef BARLINT_NV_ATOMIC_FETCH
__device__ void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM);

#endif
