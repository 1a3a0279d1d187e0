// Only threads whose own cell is not done ask all others; those who do not ask meet them at the
// next barrier, which is told at the question alone.
#include <cuda_runtime.h>

__global__ void erode(const int *in, int *out, int most)
{
    __shared__ int cell[96];
    cell[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    bool open = true;
    for (int round = 0; round < most; ++round) {
        if (cell[threadIdx.x] > round && __syncthreads_or(open)) // expect: sync-divergent
            cell[threadIdx.x] -= 2;
        open = cell[threadIdx.x] > 0;
        __syncthreads();
    }
    out[threadIdx.x] = cell[threadIdx.x];
}

void run(const int *in, int *out, int most)
{
    erode<<<1, 96>>>(in, out, most);
}
