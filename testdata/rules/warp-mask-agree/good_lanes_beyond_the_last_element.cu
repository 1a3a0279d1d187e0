// The lanes of a warp go down a tree together, one of them keeping the way for all. Where the last
// warp has fewer bodies than lanes, the others go from the bound of the loop straight to the end.
#include <cuda_runtime.h>

constexpr int THREADS = 256, DEEPEST = 32;

__global__ void forces(const int *__restrict__ child, const float *__restrict__ mass,
                       float *__restrict__ force, int bodies)
{
    __shared__ int way[THREADS / 32][DEEPEST];
    const int warp = threadIdx.x / 32;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < bodies; i += gridDim.x * THREADS) {
        float sum = 0.0f;
        int cell = 0;
        for (int level = 0; level < DEEPEST; ++level) {
            if (threadIdx.x % 32 == 0)
                way[warp][level] = child[cell];
            __syncwarp();
            cell = way[warp][level];
            sum += mass[cell];
            __syncwarp();
        }
        force[i] = sum;
    }
}

__global__ void neighbours(const float *__restrict__ in, float *__restrict__ out, int count)
{
    __shared__ float line[THREADS];
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < count) {
        line[threadIdx.x] = in[i];
        __syncwarp();
        const bool last = threadIdx.x % 32 == 31 || i + 1 == count;
        out[i] = line[threadIdx.x] + (last ? 0.0f : line[threadIdx.x + 1]);
    }
}

void run(const int *child, const float *mass, float *force, const float *in, float *out, int n)
{
    forces<<<264, THREADS>>>(child, mass, force, n);
    neighbours<<<(n + THREADS - 1) / THREADS, THREADS>>>(in, out, n);
}
