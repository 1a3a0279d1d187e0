// CUDA's function, variable and parameter attributes, spelled so that libclang's C API shows them
// with their arguments. Both header modes force-include this file; it defines macros only.
//
// An attribute that clang keeps without its arguments is carried as annotate("barlint.NAME", ...):
// the C API shows a CXCursor_AnnotateAttr of that spelling whose children are the arguments.
// Attributes that decide what clang accepts (which side a function is on, where a variable lives)
// keep clang's own spelling, and `__shared__` has both.
#ifndef BARLINT_ATTRIBUTES_H
#define BARLINT_ATTRIBUTES_H

#undef __host__
#undef __device__
#undef __global__
#undef __constant__
#undef __shared__
#undef __managed__
#undef __launch_bounds__
#undef __cluster_dims__
#undef __block_size__
#undef __maxnreg__
#undef __grid_constant__
#undef __nv_pure__
#undef __tile_builtin__
#undef __noinline__
#undef __forceinline__
#undef __align__
#undef __no_return__
#undef __local_maxnreg__

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __constant__ __attribute__((constant))
#define __shared__ __attribute__((shared)) __attribute__((annotate("barlint.shared")))

// The same length as __shared__, for an unsaved copy of a file: a shared object whose constructor
// or destructor clang refuses becomes an automatic object that is only annotated, and no column
// moves.
#define __shared_o __attribute__((annotate("barlint.shared")))

// Managed memory is addressed by both sides; clang knows the attribute for HIP only.
#define __managed__ __attribute__((device)) __attribute__((annotate("barlint.managed")))

#define __launch_bounds__(...) __attribute__((annotate("barlint.launch_bounds", __VA_ARGS__)))
#define __cluster_dims__(...) __attribute__((annotate("barlint.cluster_dims", __VA_ARGS__)))
#define __maxnreg__(...) __attribute__((annotate("barlint.maxnreg", __VA_ARGS__)))
#define __local_maxnreg__(...)
#define __grid_constant__ __attribute__((annotate("barlint.grid_constant")))

// __block_size__((x, y, z), (cx, cy, cz)): an operand is one number or a list in parentheses. The
// second gives the cluster; both keep their numbers as separate arguments of the annotation.
#define BARLINT_BARE(...) __VA_ARGS__
#define BARLINT_PICK(unused, chosen, ...) chosen
#define BARLINT_PICK_OF(...) BARLINT_PICK(__VA_ARGS__)
#define BARLINT_LIST(...) ~, BARLINT_BARE
#define BARLINT_SAME(x) x
#define BARLINT_FLAT_WITH(how, x) how x
#define BARLINT_FLAT_USE(how, x) BARLINT_FLAT_WITH(how, x)
#define BARLINT_FLAT(x) BARLINT_FLAT_USE(BARLINT_PICK_OF(BARLINT_LIST x, , ), x)
#define BARLINT_BLOCK_SIZE_1(b) __attribute__((annotate("barlint.block_size", BARLINT_FLAT(b))))
#define BARLINT_BLOCK_SIZE_2(b, c)                                                                 \
    BARLINT_BLOCK_SIZE_1(b) __attribute__((annotate("barlint.block_cluster", BARLINT_FLAT(c))))
#define BARLINT_BLOCK_SIZE_N(first, second, name, ...) name
#define __block_size__(...)                                                                        \
    BARLINT_BLOCK_SIZE_N(__VA_ARGS__, BARLINT_BLOCK_SIZE_2, BARLINT_BLOCK_SIZE_1, )(__VA_ARGS__)

#define __nv_pure__ __attribute__((pure))
#define __tile_builtin__
#define __noinline__ __attribute__((noinline))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __no_return__ __attribute__((noreturn))

#endif
