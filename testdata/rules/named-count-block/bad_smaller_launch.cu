// The count is right for one launch and too large for the other.
#include <cuda_runtime.h>

template <int Warps>
struct group {
    static __device__ void sync(int id)
    {
        asm volatile("bar.sync %0, %1;" ::"r"(id), "n"(Warps * 32) : "memory");
    }
};

__global__ void reverse(float *data)
{
    __shared__ float line[256];
    line[threadIdx.x] = data[threadIdx.x];
    group<8>::sync(1); // expect: named-count-block
    data[threadIdx.x] = line[blockDim.x - 1 - threadIdx.x];
}

void run(float *data, bool small)
{
    if (small)
        reverse<<<1, 128>>>(data);
    else
        reverse<<<1, 256>>>(data);
}
