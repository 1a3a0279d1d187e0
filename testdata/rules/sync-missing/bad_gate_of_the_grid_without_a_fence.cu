// All blocks wait for each other's counts, and read what the others have written before. A barrier
// of the block does not make that known to other blocks, nor does the count by itself; the fence of
// the block that comes last is for what that one does next.
#include <cuda_runtime.h>

__device__ void meet(volatile unsigned int *gate, unsigned int blocks)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        const unsigned int turn = gate[1];
        const unsigned int before = atomicAdd((unsigned int *)&gate[0], 1); // expect: sync-missing
        if (before == blocks - 1) {
            gate[0] = 0;
            __threadfence();
            gate[1] = turn + 1;
        } else {
            while (gate[1] == turn) {
            }
        }
    }
    __syncthreads();
}

__global__ void normalise(const float *in, float *part, float *out, unsigned int *gate,
                          unsigned int blocks)
{
    __shared__ float share[8];
    const int at = blockIdx.x * 256 + threadIdx.x;
    float sum = in[at] * in[at];
    for (int o = 16; o > 0; o /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, o);
    if (threadIdx.x % 32 == 0)
        share[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < 8; ++w)
            sum += share[w];
        part[blockIdx.x] = sum;
    }
    meet(gate, blocks);
    float all = 0;
    for (unsigned int b = 0; b < blocks; ++b)
        all += part[b];
    out[at] = in[at] * rsqrtf(all);
}

// The same in the kernel itself, and the blocks begin with others' parts each.
__global__ void turned(const float *in, float *part, float *out, unsigned int *count)
{
    part[blockIdx.x * 128 + threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x] * 2;
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(count, 1); // expect: sync-missing
        while (*(volatile unsigned int *)count < gridDim.x) {
        }
    }
    __syncthreads();
    float all = 0;
    for (unsigned int b = 0; b < gridDim.x; ++b)
        all += part[(b + blockIdx.x) % gridDim.x * 128 + threadIdx.x];
    out[blockIdx.x * 128 + threadIdx.x] = all;
}

void run(const float *in, float *part, float *out, unsigned int *gate)
{
    unsigned int blocks = 32;
    void *arguments[] = {&in, &part, &out, &gate, &blocks};
    cudaLaunchCooperativeKernel((void *)normalise, dim3(32), dim3(256), arguments, 0, 0);
    void *others[] = {&in, &part, &out, &gate};
    cudaLaunchCooperativeKernel((void *)turned, dim3(32), dim3(128), others, 0, 0);
}
