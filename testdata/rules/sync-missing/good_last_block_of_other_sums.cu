// Another function says where a launch puts its sums, through the address of the variable that keeps
// it: never where the last block reads, which finds there what the launch before has left.
#include <cuda_runtime.h>

struct sums {
    float *now, *before, *total;
    unsigned *came;
};

__device__ void choose(float **place, const sums &all, int launch)
{
    *place = launch % 2 ? all.before + gridDim.x : all.before + 2 * gridDim.x;
}

__global__ void add(sums all, const float *in, int launch)
{
    __shared__ bool last;
    float *place = all.now;
    choose(&place, all, launch);
    if (threadIdx.x == 0) {
        place[blockIdx.x] = in[blockIdx.x];
        last = atomicAdd(all.came, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last)
        for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x)
            atomicAdd(all.total, all.now[i]);
}

void run(sums all, const float *in, int launch)
{
    add<<<32, 128>>>(all, in, launch);
}
