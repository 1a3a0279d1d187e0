// Force-included before a CUDA source that is parsed without a toolkit. Like nvcc, it stands for
// cuda_runtime.h: attributes, built-in variables, vector types, intrinsics, the runtime API. What a
// source includes by name beyond these lies beside this file under NVIDIA's names.
//
// Everything here is written from the documents: barrier operations are declarations, whose meaning
// the analyzer's model states, and plain arithmetic has bodies so that values can be followed.
#ifndef BARLINT_CORE_H
#define BARLINT_CORE_H

#ifndef BARLINT_BUILTIN_HEADERS
#define BARLINT_BUILTIN_HEADERS
#endif

#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 88
#endif
#ifndef CUDART_VERSION
#define CUDART_VERSION (__CUDACC_VER_MAJOR__ * 1000 + __CUDACC_VER_MINOR__ * 10)
#endif
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define __CUDACC_RELAXED_CONSTEXPR__ 1

#include "../arch_macros.h"
#include "../attributes.h"

#include "vector_types.h"

#include "device_launch_parameters.h"

#include "barlint_integers.h"
#include "device_functions.h"
#include "math_functions.h"

#include "cuda_runtime_api.h"

// What nvcc includes by itself. The command line ends with barlint's own C and C++ library, so
// these are found even where the machine has none.
#include <assert.h>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <utility>

#endif
