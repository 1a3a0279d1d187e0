#pragma once
__device__ void init(unsigned long long *barrier, unsigned count);
__device__ void arrive(unsigned long long *barrier);
__device__ void wait(unsigned long long *barrier, unsigned parity);
