// Empties the macros that ask for the architecture, until targets_on.h gives them back.
//
// A destructor that does something makes clang refuse a __shared__ object, where nvcc only warns.
// The destructors of cuda::barrier and of its like do their work inside these macros, so the
// headers of this folder, which stand before libcu++'s of the same names, read those with the
// macros empty. What the operations of these classes mean does not come from their bodies. Blocks
// of these macros in users' code stay what they are.
#pragma GCC system_header

#if __has_include(<nv/target>)
#include <nv/target>
#endif
#pragma push_macro("NV_DISPATCH_TARGET")
#pragma push_macro("NV_IF_TARGET")
#undef NV_DISPATCH_TARGET
#undef NV_IF_TARGET
#define NV_DISPATCH_TARGET(...)
#define NV_IF_TARGET(...)

// The libcu++ of CUDA 11 takes clang for a host compiler, and its barrier's destructor asks for the
// architecture instead of using the macros above: for sm_70 it is empty.
#pragma push_macro("__CUDA_ARCH__")
#if CUDA_VERSION < 12000
#ifndef _LIBCUDACXX_HAS_CUDA_ATOMIC_IMPL
#define _LIBCUDACXX_HAS_CUDA_ATOMIC_IMPL
#endif
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
#undef __CUDA_ARCH__
#define __CUDA_ARCH__ 700
#endif
#endif
