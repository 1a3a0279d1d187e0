#pragma once
__device__ void helper(int *data);
__device__ void deeper(int *data);
