#pragma once
template <int THREADS>
__global__ void partial(int *data);
extern template __global__ void partial<300>(int *data);
