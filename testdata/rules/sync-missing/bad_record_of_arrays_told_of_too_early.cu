// Each thread writes a sum of its own, and the first one tells of all of them before the others have.
#include <cuda_runtime.h>

struct reduction {
    float *sums;
    float *result;
    int *finished;
    const float *values;
};

__global__ void __launch_bounds__(128) add_columns(reduction given)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    given.sums[i] = given.values[i] + given.values[i ^ 1];
    int *finished = &given.finished[0];
    if (threadIdx.x == 0)
        asm volatile("red.release.gpu.global.add.s32 [%0], 1;" ::"l"(finished)); // expect: sync-missing
    if (blockIdx.x != gridDim.x - 1)
        return;
    if (threadIdx.x == 0) {
        for (int found = -1; found != gridDim.x;)
            asm volatile("ld.global.acquire.gpu.b32 %0, [%1];" : "=r"(found) : "l"(finished));
    }
    __syncthreads();
    float total = 0.0f;
    for (int k = threadIdx.x; k < gridDim.x * 128; k += 128)
        total += given.sums[k];
    given.result[threadIdx.x] = total;
}

void run(float *sums, float *result, int *finished, const float *values, int blocks)
{
    add_columns<<<blocks, 128>>>(reduction{sums, result, finished, values});
}
