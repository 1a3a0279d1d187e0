// A barrier at which all wait may come as often as one likes.
#include <cuda_runtime.h>

template <int Warps>
struct group {
    static __device__ void sync(int id)
    {
        asm volatile("bar.sync %0, %1;" ::"r"(id), "n"(Warps * 32) : "memory");
    }
};

__global__ void smooth(float *data, int rounds)
{
    __shared__ float line[128];
    if (threadIdx.x >= 128)
        return;
    line[threadIdx.x] = data[threadIdx.x];
    for (int r = 0; r < rounds; ++r) {
        group<4>::sync(1);
        const float next = 0.5f * (line[threadIdx.x] + line[(threadIdx.x + 1) % 128]);
        group<4>::sync(1);
        line[threadIdx.x] = next;
    }
    data[threadIdx.x] = line[threadIdx.x];
}

void run(float *data, int rounds)
{
    smooth<<<1, 160>>>(data, rounds);
}
