// All threads count who has nothing left, and go on until that is everybody: a fast one posts what
// it has left next while others still read the last.
#include <cuda_runtime.h>

__device__ int count_idle(const int *left)
{
    int idle = 0;
    for (int i = 0; i < 128; i++) {
        if (left[i] == 0)
            idle++;
    }
    return idle;
}

__global__ void drain(const int *work, int *out)
{
    __shared__ int left[128];
    int mine = work[threadIdx.x];
    while (true) {
        left[threadIdx.x] = mine; // expect: sync-missing
        __syncthreads();
        if (count_idle(left) == 128)
            break;
        if (mine != 0) {
            out[mine * 128 + threadIdx.x] = mine;
            mine /= 2;
        }
    }
}

void launch(const int *work, int *out)
{
    drain<<<1, 128>>>(work, out);
}
