// Thread 0 keeps the best round in shared memory, and the barrier that ends each round publishes
// it. Only a launch with no round at all would read the first value without one.
#include <cuda_runtime.h>

__global__ void choose(const float *__restrict__ score, const int *__restrict__ in,
                       int *__restrict__ out, int rounds)
{
    __shared__ float best;
    __shared__ int chosen;
    if (threadIdx.x == 0) {
        best = -1.0f;
        chosen = 0;
    }
    for (int r = 0; r < rounds; ++r) {
        if (threadIdx.x == 0 && score[r] > best) {
            best = score[r];
            chosen = r;
        }
        __syncthreads();
    }
    out[threadIdx.x] = in[chosen * blockDim.x + threadIdx.x];
}

void run(const float *score, const int *in, int *out, int rounds)
{
    choose<<<1, 128>>>(score, in, out, rounds);
}
