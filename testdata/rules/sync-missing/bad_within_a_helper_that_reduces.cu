// The helper looks for the best of what the block has put into shared memory, and hands the same
// memory to the reduction: the barrier is missing there, not around its call.
#include <cub/block/block_reduce.cuh>
#include <cuda_runtime.h>

constexpr int THREADS = 128;
using reduction = cub::BlockReduce<float, THREADS>;

struct best {
    __device__ float operator()(float a, float b) const { return a > b ? a : b; }
};

__device__ float best_of_all(float *box, void *storage, int count)
{
    float found = box[0];
    for (int i = threadIdx.x; i < count; i += THREADS)
        found = best()(found, box[i]);
    auto *place = static_cast<reduction::TempStorage *>(storage);
    return reduction(*place).Reduce(found, best()); // expect: sync-missing
}

__global__ void pick(const float *from, float *to, int count)
{
    __shared__ alignas(16) float box[256];
    for (int i = threadIdx.x; i < count; i += THREADS)
        box[i] = from[i];
    __syncthreads();
    float found = best_of_all(box, box, count);
    if (threadIdx.x == 0)
        to[0] = found;
}

void run(const float *from, float *to)
{
    pick<<<1, THREADS>>>(from, to, 256);
}
