// A continue on the row's own data jumps over the barrier of the loop.
#include <cuda_runtime.h>

__global__ void rotate(float *__restrict__ rows, const float *__restrict__ weight, int sweeps)
{
    __shared__ float line[4][32];
    const int y = threadIdx.y, x = threadIdx.x;
    line[y][x] = rows[y * 32 + x];
    __syncthreads();
    for (int s = 0; s < sweeps; ++s) {
        if (weight[s * 4 + y] < 1e-6f)
            continue;
        const float next = line[y][(x + 1) % 32] * weight[s * 4 + y]; // expect: sync-missing
        __syncthreads(); // expect: sync-divergent
        line[y][x] = next;
    }
    rows[y * 32 + x] = line[y][x];
}

void run(float *rows, const float *weight)
{
    rotate<<<1, dim3(32, 4)>>>(rows, weight, 3);
}
