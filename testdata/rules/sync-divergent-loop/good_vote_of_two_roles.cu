// The threads come to the vote in two groups; what it yields is one for all of them.
#include <cuda_runtime.h>

__global__ void __launch_bounds__(128) drain(const int *__restrict__ more, int *__restrict__ out)
{
    __shared__ int taken;
    if (threadIdx.x == 0)
        taken = 0;
    bool open = true;
    int round = 0;
    while (__syncthreads_or(open)) {
        if (threadIdx.x < 64)
            open = more[round * 64 + threadIdx.x] > 0;
        else
            open = false;
        if (open)
            atomicAdd(&taken, 1);
        __syncthreads();
        ++round;
    }
    out[threadIdx.x] = taken;
}

void run(const int *more, int *out)
{
    drain<<<1, 128>>>(more, out);
}
