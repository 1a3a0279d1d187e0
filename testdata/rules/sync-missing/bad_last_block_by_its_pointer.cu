// The block keeps in a variable where the sums of a record lie; the last block reads there what the
// others have stored, and nothing sees to it that it has come there before their counts.
#include <cuda_runtime.h>

struct sums {
    float *part, *total;
    unsigned *came;
};

__global__ void add(sums to, const float *in)
{
    __shared__ bool last;
    float *const part = to.part;
    if (threadIdx.x == 0) {
        part[blockIdx.x] = in[blockIdx.x];
        last = atomicAdd(to.came, 1u) == gridDim.x - 1; // expect: sync-missing
    }
    __syncthreads();
    if (last)
        for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x)
            atomicAdd(to.total, part[i]);
}

void run(sums to, const float *in)
{
    add<<<32, 128>>>(to, in);
}
