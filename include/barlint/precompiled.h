// The CUDA headers that are slow to read, for a precompiled header: made once for a set of compiler
// arguments, after the prelude, and loaded instead of being parsed again. Each is included where the
// toolkit has it; a unit that does not include one of them only sees more declarations.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
// What host code and the declarations of torch mostly begin with. A toolkit's headers have it.
#ifdef BARLINT_BUILTIN_HEADERS
#include <array>
#include <functional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>
#endif
#if __has_include(<cooperative_groups/memcpy_async.h>)
#include <cooperative_groups/memcpy_async.h>
#endif
#if __has_include(<cooperative_groups/reduce.h>)
#include <cooperative_groups/reduce.h>
#endif
#if __has_include(<cuda_fp16.h>)
#include <cuda_fp16.h>
#endif
#if __has_include(<cuda_bf16.h>)
#include <cuda_bf16.h>
#endif
// <cuda/barrier> itself is always found: the overlay has one.
#if __has_include(<cuda/atomic>) && __CUDA_ARCH__ >= 700
#include <cuda/barrier>
#include <cuda/pipeline>
#endif
#if __has_include(<cuda/ptx>) && __CUDA_ARCH__ >= 800
#include <cuda/ptx>
#endif
