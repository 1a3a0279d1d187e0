// Objects outside of shared memory may get their count where they are declared.
#include <cuda/barrier>
#include <cuda_runtime.h>

__managed__ cuda::barrier<cuda::thread_scope_system> both(33);
__device__ cuda::barrier<cuda::thread_scope_device> grid(64);

__global__ void count(int *cell)
{
    cell[blockIdx.x * 32 + threadIdx.x] += 1;
    grid.arrive_and_wait();
    if (blockIdx.x == 0) {
        cell[threadIdx.x] += cell[32 + threadIdx.x];
        both.arrive_and_wait();
    }
}

void launch(int *cell)
{
    void *arguments[] = {&cell};
    cudaLaunchCooperativeKernel((const void *)count, dim3(2), dim3(32), arguments, 0, nullptr);
    if (cudaGetLastError() == cudaSuccess)
        (void)both.arrive();
    cudaDeviceSynchronize();
}
