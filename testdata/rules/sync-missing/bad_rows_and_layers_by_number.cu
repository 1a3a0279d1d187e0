// Warps are the rows of a block whose number, like that of its layers, the host passes in a record.
// Each keeps a value for the others of its column, and they read it with no barrier.
#include <cuda_runtime.h>

struct Field {
    const float *in;
    float *out;
    int length, slices, parities;
};

template <typename T> struct Kept {
    __device__ static T *place()
    {
        extern __shared__ int bytes[];
        return reinterpret_cast<T *>(bytes);
    }
    __device__ static int at(int x, int y, int z)
    {
        return (z * blockDim.y + y) * blockDim.x + x;
    }
    __device__ void put(T value)
    {
        place()[at(threadIdx.x, threadIdx.y, threadIdx.z)] = value;
    }
    __device__ T get(int y) const
    {
        return place()[at(threadIdx.x, y, threadIdx.z)]; // expect: sync-missing
    }
};

__global__ void blend(Field field)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int slice = threadIdx.y, parity = threadIdx.z;
    if (x >= field.length || slice >= field.slices || parity >= field.parities)
        return;
    Kept<float> kept;
    const int plane = parity * field.slices;
    kept.put(field.in[(plane + slice) * field.length + x]);
    float sum = 0;
    for (int s = 0; s < field.slices; ++s)
        sum += kept.get(s) / (1 + abs(s - slice));
    field.out[(plane + slice) * field.length + x] = sum;
}

void run(const Field &field)
{
    const dim3 block(32, field.slices, field.parities);
    const size_t bytes = sizeof(float) * block.x * block.y * block.z;
    blend<<<(field.length + 31) / 32, block, bytes>>>(field);
}
