// Every thread notes where the block's state lies, the same for all, and goes by it: what it reads it
// has written itself.
#include <cuda_runtime.h>

struct alignas(16) state {
    int rank, ranks;
    int slot[30];
};

extern __shared__ state buffer[];
__shared__ const state *current;

__device__ void load(const state *from)
{
    const int4 *source = reinterpret_cast<const int4 *>(from);
    int4 *target = reinterpret_cast<int4 *>(&buffer[0]);
    for (int i = threadIdx.x; i < static_cast<int>(sizeof(state) / sizeof(int4)); i += blockDim.x)
        target[i] = source[i];
    __syncthreads();
    current = &buffer[0];
}

__global__ void next_slot(const state *from, int *out)
{
    load(from);
    out[threadIdx.x] = current->slot[(threadIdx.x + current->rank) % 30];
}

void launch(const state *from, int *out)
{
    next_slot<<<1, 128, sizeof(state)>>>(from, out);
}
