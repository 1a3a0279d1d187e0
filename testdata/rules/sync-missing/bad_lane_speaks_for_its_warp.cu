// pedantic: all lanes write and fence, and lane 0 counts for them at once. Before sm_70 they went
// together; now the others may have yet to write.
#include <cuda_runtime.h>

__global__ void produce(const float *in, float *rows, int *ready)
{
    const int row = blockIdx.x;
    rows[row * 32 + threadIdx.x] = in[row * 32 + threadIdx.x] * 0.5f;
    __threadfence();
    if (threadIdx.x == 0)
        atomicAdd(&ready[row], 1); // expect: sync-missing
}

void run(const float *in, float *rows, int *ready, int n)
{
    produce<<<n, 32>>>(in, rows, ready);
}
