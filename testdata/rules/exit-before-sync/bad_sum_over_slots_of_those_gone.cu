// The threads behind the end set no slot of the sum, and the tree adds all of them.
#include <cuda_runtime.h>

template <int Threads>
__global__ void energy(const float *velocity, float *out, int n)
{
    __shared__ float part[Threads];
    const int i = blockIdx.x * Threads + threadIdx.x;
    if (i >= n)
        return;
    part[threadIdx.x] = velocity[i] * velocity[i];
    __syncthreads(); // expect: exit-before-sync
    for (int step = Threads / 2; step > 0; step /= 2) {
        if (threadIdx.x < step)
            part[threadIdx.x] += part[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = part[0];
}

void run(const float *velocity, float *out, int n)
{
    energy<256><<<(n + 255) / 256, 256>>>(velocity, out, n);
}
