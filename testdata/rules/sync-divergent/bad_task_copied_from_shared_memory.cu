// A task is read from shared memory as a whole, and the part of the block that has nothing to do
// with it goes back to the loop: the barriers of the task are for half the block then.
#include <cuda_runtime.h>

struct Task {
    int kind, row;
};

__device__ void mirror(const float *__restrict__ in, float *__restrict__ out, int row, float *line)
{
    line[threadIdx.x] = in[row * 256 + threadIdx.x];
    __syncthreads();
    out[row * 256 + threadIdx.x] = line[255 - threadIdx.x];
}

__device__ void halve(const float *__restrict__ in, float *__restrict__ out, int row, float *line)
{
    if (threadIdx.x >= 128)
        return;
    line[threadIdx.x] = 0.5f * in[row * 256 + threadIdx.x];
    __syncthreads(); // expect: sync-divergent
    out[row * 256 + threadIdx.x] = line[127 - threadIdx.x];
}

__global__ void __launch_bounds__(256)
    work(const Task *__restrict__ queue, int tasks, const float *__restrict__ in,
         float *__restrict__ out)
{
    __shared__ float line[256];
    __shared__ Task next;
    for (int i = 0; i < tasks; ++i) {
        if (threadIdx.x == 0)
            next = queue[i * gridDim.x + blockIdx.x];
        __syncthreads();
        const Task task = next;
        if (task.kind == 0)
            mirror(in, out, task.row, line);
        else
            halve(in, out, task.row, line);
        __syncthreads();
    }
}

void run(const Task *queue, int tasks, const float *in, float *out)
{
    work<<<132, 256>>>(queue, tasks, in, out);
}
