// Read before the first line of every unit that `barlint nvcc` compiles (-include): the module's
// variable for runtime_check's state, and what its launches go through. The table of places is
// known only when the device code is compiled; `barlint nvcc` adds it to the end of the unit's host
// code, where launches.h renames the launch functions.
#ifndef BARLINT_RUNTIME_CHECK_MODULE_CUH
#define BARLINT_RUNTIME_CHECK_MODULE_CUH
#if defined(__CUDACC__) && defined(__cplusplus) && !defined(__CUDACC_RTC__)

// What the program's own flags would have its compiler warn of is not said of this.
#pragma GCC system_header

#include <cuda_runtime.h>

#include "host.h"

// The first word is set by the host side before a launch; while it is 0, nothing is checked. Behind
// it a bit for each place, in words of 32, 1 once that has been passed.
static __device__ unsigned long long barlint_rt_state[1 + BARLINT_RT_PASSED / 64];

#ifndef __CUDA_ARCH__

// Without a use in the host code nvcc drops the variable.
static const void *const barlint_rt_state_of_unit __attribute__((used)) =
    (const void *)&barlint_rt_state;

#if BARLINT_RT_GLOBAL_SHADOW
static void __attribute__((constructor)) barlint_rt_ask_for_shadows(void)
{
    barlint_rt_this_program()->global_shadows = true;
}
#endif

// The functions that launch, under names that launches.h does not change, and what they are renamed
// to. Inline, so that those which a runtime does not have are not asked for; one copy for a program
// or a library.
// Some of the names are macros: they are pasted and quoted before they can be expanded.
#define BARLINT_RT_LAUNCH(name, by)                                                                \
    extern "C" cudaError_t barlint_rt_real_##name BARLINT_RT_PARAMETERS_##by __asm__(#name);       \
    extern "C" inline __attribute__((visibility("hidden")))                                        \
    cudaError_t barlint_rt_##name BARLINT_RT_PARAMETERS_##by                                       \
    {                                                                                              \
        barlint_rt_prepare();                                                                      \
        return barlint_rt_real_##name BARLINT_RT_ARGUMENTS_##by;                                   \
    }
#define BARLINT_RT_PARAMETERS_FUNCTION                                                             \
    (const void *function, dim3 grid, dim3 block, void **arguments, size_t bytes,                  \
     cudaStream_t stream)
#define BARLINT_RT_ARGUMENTS_FUNCTION (function, grid, block, arguments, bytes, stream)
#define BARLINT_RT_PARAMETERS_KERNEL                                                               \
    (cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t bytes,                   \
     cudaStream_t stream)
#define BARLINT_RT_ARGUMENTS_KERNEL (kernel, grid, block, arguments, bytes, stream)
#define BARLINT_RT_PARAMETERS_CONFIG                                                               \
    (const cudaLaunchConfig_t *config, const void *function, void **arguments)
#define BARLINT_RT_ARGUMENTS_CONFIG (config, function, arguments)

BARLINT_RT_LAUNCH(cudaLaunchKernel_ptsz, FUNCTION)
BARLINT_RT_LAUNCH(cudaLaunchCooperativeKernel, FUNCTION)
BARLINT_RT_LAUNCH(cudaLaunchCooperativeKernel_ptsz, FUNCTION)
#if CUDART_VERSION >= 11080
BARLINT_RT_LAUNCH(cudaLaunchKernelExC_ptsz, CONFIG)
#endif
// With a default stream for each thread CUDA's headers define the other two by those above.
#ifndef __CUDART_API_PER_THREAD_DEFAULT_STREAM
BARLINT_RT_LAUNCH(cudaLaunchKernel, FUNCTION)
#if CUDART_VERSION >= 11080
BARLINT_RT_LAUNCH(cudaLaunchKernelExC, CONFIG)
#endif
#endif
#if CUDART_VERSION >= 12000
// What <<<>>> is compiled to, in some versions.
BARLINT_RT_LAUNCH(__cudaLaunchKernel, KERNEL)
BARLINT_RT_LAUNCH(__cudaLaunchKernel_ptsz, KERNEL)
#endif

// A graph's launches are prepared when they are captured, a kernel that is added by hand is here, and
// those of a graph that was made by other means as it is launched.
#define BARLINT_RT_PARAMETERS_GRAPH (cudaGraphExec_t graph, cudaStream_t stream)
#define BARLINT_RT_ARGUMENTS_GRAPH (graph, stream)
BARLINT_RT_LAUNCH(cudaGraphLaunch, GRAPH)
#define BARLINT_RT_PARAMETERS_NODE                                                                 \
    (cudaGraphNode_t * node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,        \
     const cudaKernelNodeParams *kernel)
#define BARLINT_RT_ARGUMENTS_NODE (node, graph, after, count, kernel)
BARLINT_RT_LAUNCH(cudaGraphAddKernelNode, NODE)

// Asked for as much shared memory as a kernel needs, which may be more than is left beside the shadow.
extern "C" cudaError_t barlint_rt_real_cudaFuncSetAttribute(const void *function,
                                                            enum cudaFuncAttribute attribute,
                                                            int value)
    __asm__("cudaFuncSetAttribute");
extern "C" inline __attribute__((visibility("hidden"))) cudaError_t
barlint_rt_cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute, int value)
{
    cudaError_t error = barlint_rt_real_cudaFuncSetAttribute(function, attribute, value);
    if (error != cudaSuccess && attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
        barlint_rt_tell_lack_of_room(function, value);
    }
    return error;
}

extern "C" cudaError_t barlint_rt_real_cudaDeviceReset(void) __asm__("cudaDeviceReset");
extern "C" inline __attribute__((visibility("hidden"))) cudaError_t barlint_rt_cudaDeviceReset(void)
{
    barlint_rt_forget_device();
    return barlint_rt_real_cudaDeviceReset();
}

#ifdef __linux__
#include "driver.h"
#endif

#endif
#endif
#endif
