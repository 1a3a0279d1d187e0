// One object in global memory joins all blocks of the grid, yet its scope is the block.
#include <cuda/barrier>

using wrong_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void iterate(const float *__restrict__ in, float *__restrict__ out,
                        wrong_barrier *step)
{
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    const int all = gridDim.x * blockDim.x;
    out[at] = 0.5f * in[at];
    step->arrive_and_wait(); // expect: init-scope
    out[all + at] = out[(at + 1) % all];
}

void run(const float *in, float *out, wrong_barrier *step)
{
    void *arguments[] = {&in, &out, &step};
    (void)cudaLaunchCooperativeKernel(reinterpret_cast<void *>(iterate), dim3(8), dim3(128),
                                      arguments);
}
