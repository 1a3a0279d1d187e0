// All blocks wait for each other's counts: behind a fence, or with a count that releases; or they
// read behind it what is their own.
#include <cuda_runtime.h>
#include <cuda/atomic>

__device__ void meet(volatile unsigned int *gate, unsigned int blocks)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        const unsigned int turn = gate[1];
        __threadfence();
        const unsigned int before = atomicAdd((unsigned int *)&gate[0], 1);
        if (before == blocks - 1) {
            gate[0] = 0;
            __threadfence();
            gate[1] = turn + 1;
        } else {
            while (gate[1] == turn) {
            }
        }
        __threadfence();
    }
    __syncthreads();
}

__device__ void meet_unfenced(volatile unsigned int *count)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd((unsigned int *)count, 1);
        while (*count % gridDim.x != 0) {
        }
    }
    __syncthreads();
}

__global__ void fenced(const float *in, float *part, float *out, unsigned int *gate,
                       unsigned int blocks)
{
    part[blockIdx.x * 128 + threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x] * 2;
    meet(gate, blocks);
    float all = 0;
    for (unsigned int b = 0; b < blocks; ++b)
        all += part[b * 128 + threadIdx.x];
    out[blockIdx.x * 128 + threadIdx.x] = all;
}

__global__ void released(const float *in, float *part, float *out, unsigned int *count)
{
    part[blockIdx.x * 128 + threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x] * 2;
    __syncthreads();
    if (threadIdx.x == 0) {
        cuda::atomic_ref<unsigned int, cuda::thread_scope_device> all(*count);
        all.fetch_add(1, cuda::memory_order_release);
        while (all.load(cuda::memory_order_acquire) < gridDim.x) {
        }
    }
    __syncthreads();
    float all = 0;
    for (unsigned int b = 0; b < gridDim.x; ++b)
        all += part[b * 128 + threadIdx.x];
    out[blockIdx.x * 128 + threadIdx.x] = all;
}

// The blocks keep step, and exchange nothing.
__global__ void in_step(const float *in, float *part, float *out, unsigned int *count, int n)
{
    part[blockIdx.x * 128 + threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    meet_unfenced(count);
    float all = 0;
    for (int i = 0; i < n; ++i)
        all += part[blockIdx.x * 128 + (threadIdx.x + i) % 128];
    out[blockIdx.x * 128 + threadIdx.x] = all;
}

void run(const float *in, float *part, float *out, unsigned int *gate, int n)
{
    unsigned int blocks = 32;
    void *arguments[] = {&in, &part, &out, &gate, &blocks};
    cudaLaunchCooperativeKernel((void *)fenced, dim3(32), dim3(128), arguments, 0, 0);
    void *others[] = {&in, &part, &out, &gate};
    cudaLaunchCooperativeKernel((void *)released, dim3(32), dim3(128), others, 0, 0);
    void *last[] = {&in, &part, &out, &gate, &n};
    cudaLaunchCooperativeKernel((void *)in_step, dim3(32), dim3(128), last, 0, 0);
}
