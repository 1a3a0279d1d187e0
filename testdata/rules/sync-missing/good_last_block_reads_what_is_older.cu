// The last block sums up what the launch before has left; what the blocks of this one write, the next
// will read. Both are memory that one record names.
#include <cuda_runtime.h>

struct history {
    float *now, *before;
    float *step[2];
    struct {
        float *sums;
    } level[2];
    unsigned *came;
    float *total;
};

__global__ void by_member(history h, const float *in)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        h.now[blockIdx.x] = in[blockIdx.x];
        last = atomicAdd(h.came, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last)
        for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x)
            atomicAdd(h.total, h.before[i]);
}

__global__ void by_element(history h, const float *in)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        h.step[1][blockIdx.x] = in[blockIdx.x];
        last = atomicAdd(h.came, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last)
        for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x)
            atomicAdd(h.total, h.step[0][i]);
}

__global__ void by_level(history h, const float *in)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        h.level[1].sums[blockIdx.x] = in[blockIdx.x];
        last = atomicAdd(h.came, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last)
        for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x)
            atomicAdd(h.total, h.level[0].sums[i]);
}

__global__ void by_parity(history h, const float *in, int launch)
{
    __shared__ bool last;
    float *const now = h.step[launch & 1], *const before = h.step[(launch & 1) ^ 1];
    if (threadIdx.x == 0) {
        now[blockIdx.x] = in[blockIdx.x];
        last = atomicAdd(h.came, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last)
        for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x)
            atomicAdd(h.total, before[i]);
}

void run(history h, const float *in, int launch)
{
    by_member<<<32, 128>>>(h, in);
    by_element<<<32, 128>>>(h, in);
    by_level<<<32, 128>>>(h, in);
    by_parity<<<32, 128>>>(h, in, launch);
}
