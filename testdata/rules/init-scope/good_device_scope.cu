#include <cuda/barrier>

using grid_barrier = cuda::barrier<cuda::thread_scope_device>;

__global__ void iterate(const float *__restrict__ in, float *__restrict__ out, grid_barrier *step)
{
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    const int all = gridDim.x * blockDim.x;
    out[at] = 0.5f * in[at];
    step->arrive_and_wait();
    out[all + at] = out[(at + 1) % all];
}

void run(const float *in, float *out, grid_barrier *step)
{
    void *arguments[] = {&in, &out, &step};
    (void)cudaLaunchCooperativeKernel(reinterpret_cast<void *>(iterate), dim3(8), dim3(128),
                                      arguments);
}
