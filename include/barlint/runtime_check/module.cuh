// Read before the first line of every unit that `barlint nvcc` compiles (-include): the module's
// variable for runtime_check's state, and what its launches go through. The table of places is
// known only when the device code is compiled; `barlint nvcc` adds it to the end of the unit's host
// code, where launches.h renames the launch functions.
#ifndef BARLINT_RUNTIME_CHECK_MODULE_CUH
#define BARLINT_RUNTIME_CHECK_MODULE_CUH
#if defined(__CUDACC__) && defined(__cplusplus) && !defined(__CUDACC_RTC__)

#include <cuda_runtime.h>

#include "host.h"

// Set by the host side before a launch; while it is 0, nothing is checked.
static __device__ unsigned long long barlint_rt_state;

#ifndef __CUDA_ARCH__

// Without a use in the host code nvcc drops the variable.
static const void *const barlint_rt_state_of_unit __attribute__((used)) =
    (const void *)&barlint_rt_state;

// The functions that launch, under names that launches.h does not change, and what they are renamed
// to. One copy for a program or a library, for the modules that are linked together.
#define BARLINT_RT_LAUNCH(name, parameters, arguments)                                             \
    extern "C" cudaError_t barlint_rt_real_##name parameters __asm__(#name);                       \
    extern "C" __attribute__((weak, visibility("hidden")))                                         \
    cudaError_t barlint_rt_##name parameters                                                       \
    {                                                                                              \
        barlint_rt_prepare();                                                                      \
        return barlint_rt_real_##name arguments;                                                   \
    }
#define BARLINT_RT_LAUNCHES(suffix)                                                                \
    BARLINT_RT_LAUNCH(cudaLaunchKernel##suffix,                                                    \
                      (const void *function, dim3 grid, dim3 block, void **arguments,              \
                       size_t bytes, cudaStream_t stream),                                         \
                      (function, grid, block, arguments, bytes, stream))                           \
    BARLINT_RT_LAUNCH(cudaLaunchCooperativeKernel##suffix,                                         \
                      (const void *function, dim3 grid, dim3 block, void **arguments,              \
                       size_t bytes, cudaStream_t stream),                                         \
                      (function, grid, block, arguments, bytes, stream))

BARLINT_RT_LAUNCHES()
BARLINT_RT_LAUNCHES(_ptsz)
#if CUDART_VERSION >= 11080
BARLINT_RT_LAUNCH(cudaLaunchKernelExC,
                  (const cudaLaunchConfig_t *config, const void *function, void **arguments),
                  (config, function, arguments))
BARLINT_RT_LAUNCH(cudaLaunchKernelExC_ptsz,
                  (const cudaLaunchConfig_t *config, const void *function, void **arguments),
                  (config, function, arguments))
#endif
#if CUDART_VERSION >= 13000
// What <<<>>> is compiled to.
BARLINT_RT_LAUNCH(__cudaLaunchKernel,
                  (cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t bytes,
                   cudaStream_t stream),
                  (kernel, grid, block, arguments, bytes, stream))
BARLINT_RT_LAUNCH(__cudaLaunchKernel_ptsz,
                  (cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t bytes,
                   cudaStream_t stream),
                  (kernel, grid, block, arguments, bytes, stream))
#endif

#endif
#endif
#endif
