// Types of the driver's functions, for entry points fetched by name.
#ifndef BARLINT_CUDATYPEDEFS_H
#define BARLINT_CUDATYPEDEFS_H

#include "cuda.h"

typedef decltype(&cuTensorMapEncodeTiled) PFN_cuTensorMapEncodeTiled;
typedef decltype(&cuTensorMapEncodeTiled) PFN_cuTensorMapEncodeTiled_v12000;
typedef decltype(&cuTensorMapEncodeIm2col) PFN_cuTensorMapEncodeIm2col;
typedef decltype(&cuTensorMapEncodeIm2col) PFN_cuTensorMapEncodeIm2col_v12000;
typedef decltype(&cuGetErrorString) PFN_cuGetErrorString;

#endif
