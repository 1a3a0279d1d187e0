// The blocks meet by a count, for what they tell each other by atomic operations. What each reads
// behind it in memory of the grid it has stored itself, at places that a lambda, a function, a
// member and a table know of.
#include <cuda_runtime.h>

struct Lines {
    int *lines, first;
    __device__ int &at(int i)
    {
        return lines[first + i];
    }
};

__device__ int first_of_block()
{
    return blockIdx.x * 256;
}

__global__ void above_average(const int *in, const int *places, int *kept, int *more, int *rest,
                              int *sum, unsigned *met, int *out)
{
    const int own = blockIdx.x * 256, last = 255 - threadIdx.x, place = places[blockIdx.x];
    auto keep = [&](int value) { kept[own + threadIdx.x] = value; };
    auto look = [&](int i) { return kept[own + i]; };
    Lines lines{more, own};
    keep(in[own + threadIdx.x]);
    lines.at(threadIdx.x) = in[threadIdx.x];
    rest[first_of_block() + threadIdx.x] = 1;
    rest[place + threadIdx.x] = 2;
    atomicAdd(sum, in[own + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(met, 1);
        while (atomicAdd(met, 0) < gridDim.x) {
        }
    }
    __syncthreads();
    const int average = atomicAdd(sum, 0) / (gridDim.x * 256);
    out[own + threadIdx.x] = look(last) > average ? lines.at(last) + rest[place + last]
                                                  : rest[first_of_block() + last];
}

void launch(const int *in, const int *places, int *kept, int *more, int *rest, int *sum,
            unsigned *met, int *out)
{
    void *arguments[] = {&in, &places, &kept, &more, &rest, &sum, &met, &out};
    cudaLaunchCooperativeKernel((void *)above_average, dim3(32), dim3(256), arguments, 0, nullptr);
}
