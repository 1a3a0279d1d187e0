// Functions of the user with names that were the toolkit's.
#include <cuda_runtime.h>

struct pipeline {
    int batches = 0;
    __device__ int commit() { return batches++; }
    __device__ void wait(int batch) { batches = batch; }
};

__device__ int __any(int mine, int)
{
    return __any_sync(0xffffffffu, mine);
}

__global__ void vote(const int *__restrict__ in, int *__restrict__ out)
{
    pipeline pipe;
    pipe.wait(pipe.commit());
    out[threadIdx.x] = __any(in[threadIdx.x] > 0, 0);
}

void run(const int *in, int *out)
{
    vote<<<1, 32>>>(in, out);
}
