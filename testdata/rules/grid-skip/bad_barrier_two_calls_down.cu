// The barrier of the grid that one block alone comes to stands in a function that a function calls,
// and so do the votes that nobody can follow, which say nothing of who comes there.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ void publish(float *out, float sum)
{
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
    cg::this_grid().sync(); // expect: grid-skip
}

__device__ void finish(float *out, float sum)
{
    publish(out, sum);
}

__device__ void note(int *seen, int at)
{
    if (__syncthreads_or(seen[at]))
        seen[at] = 0;
}

__device__ void note_both(int *seen)
{
    note(seen, threadIdx.x);
    note(seen, threadIdx.x + blockDim.x);
}

__global__ void total(float *out, int *seen, const int *wanted)
{
    if (__syncthreads_or(wanted[threadIdx.x]))
        note_both(seen);
    if (blockIdx.x == 0)
        finish(out, 1);
    out[blockIdx.x] += 1;
}

int main()
{
    float *out;
    int *seen, *wanted;
    cudaMalloc(&out, 4096);
    cudaMalloc(&seen, 4096);
    cudaMalloc(&wanted, 4096);
    void *arguments[] = {&out, &seen, &wanted};
    cudaLaunchCooperativeKernel((void *)total, 8, 128, arguments, 0, nullptr);
    return cudaDeviceSynchronize();
}
