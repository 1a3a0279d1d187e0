// Each warp puts what is left of its part side by side, as the sum over the lanes in front says, and
// goes over that list at once: a shuffle gives the length to all lanes, and orders no memory.
#include <cuda_runtime.h>

enum { THREADS = 256, WARPS = THREADS / 32, MOST = 128 };

struct candidate {
    unsigned row;
    float distance;
};

__device__ int lanes_in_front(int own)
{
    int sum = own;
    for (int step = 1; step < 32; step *= 2) {
        int below = __shfl_up_sync(0xffffffffu, sum, step);
        if (threadIdx.x % 32 >= step)
            sum += below;
    }
    return sum;
}

__global__ void nearest(const float *distance, float limit, candidate *to)
{
    __shared__ candidate list[WARPS][MOST];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    unsigned row = blockIdx.x * THREADS + threadIdx.x;
    float own = distance[row];
    int keeps = own < limit, sum = lanes_in_front(keeps);
    if (keeps)
        list[warp][sum - keeps] = candidate{row, own};
    int length = __shfl_sync(0xffffffffu, sum, 31);
    candidate best = {0, limit};
    for (int i = lane; i < length; i += 32) {
        candidate one = list[warp][i]; // expect: sync-missing
        best = one.distance < best.distance ? one : best;
    }
    to[row] = best;
}

void run(const float *distance, candidate *to, int blocks)
{
    nearest<<<blocks, THREADS>>>(distance, 1.0f, to);
}
