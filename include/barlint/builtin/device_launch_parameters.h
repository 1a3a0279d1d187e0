// The built-in variables, as plain objects so that `threadIdx.x` is an ordinary member.
#ifndef BARLINT_DEVICE_LAUNCH_PARAMETERS_H
#define BARLINT_DEVICE_LAUNCH_PARAMETERS_H

#include "vector_types.h"

extern const __device__ uint3 threadIdx;
extern const __device__ uint3 blockIdx;
extern const __device__ dim3 blockDim;
extern const __device__ dim3 gridDim;
__device__ const int warpSize = 32;

#endif
