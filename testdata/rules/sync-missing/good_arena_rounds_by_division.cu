// Arrays are laid one behind the other in dynamic shared memory, each at an address that is rounded
// up by a division: where one ends the next begins.
#include <cstdint>
#include <cuda_runtime.h>

class Arena {
public:
    __device__ explicit Arena(void *memory) : next(reinterpret_cast<uintptr_t>(memory)) {}

    template <typename T>
    __device__ T *get(int count)
    {
        next = (next + alignof(T) - 1) / alignof(T) * alignof(T);
        T *begin = reinterpret_cast<T *>(next);
        next += count * sizeof(T);
        return begin;
    }

private:
    uintptr_t next;
};

__global__ void project(const float *__restrict__ points, const float *__restrict__ axes,
                        float *__restrict__ out, int dims, int count)
{
    extern __shared__ unsigned char memory[];
    Arena arena(memory);
    unsigned char *seen = arena.get<unsigned char>(5);
    float *axis = arena.get<float>(dims);
    float *along = arena.get<float>(count);
    if (threadIdx.x < 5)
        seen[threadIdx.x] = 1;
    for (int d = threadIdx.x; d < dims; d += blockDim.x)
        axis[d] = axes[blockIdx.x * dims + d];
    __syncthreads();
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        float sum = 0;
        for (int d = 0; d < dims; ++d)
            sum += points[i * dims + d] * axis[d];
        along[i] = sum;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        out[blockIdx.x * count + i] = along[count - 1 - i] + seen[threadIdx.x % 5];
}

void run(const float *points, const float *axes, float *out, int dims, int count, int blocks)
{
    project<<<blocks, 192, 8 + (dims + count) * sizeof(float)>>>(points, axes, out, dims, count);
}
