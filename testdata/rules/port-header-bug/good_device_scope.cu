// A barrier in global memory is counted by software, which keeps its time well.
#include <cooperative_groups.h>
#include <cuda/barrier>

__global__ void step(cuda::barrier<cuda::thread_scope_device> *all, float *cell)
{
    cell[blockIdx.x * blockDim.x + threadIdx.x] += 1;
    auto token = all->arrive();
    auto again = token;
    if (!all->try_wait_for(std::move(token), cuda::std::chrono::microseconds(5)))
        all->wait(std::move(again));
    cell[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}

void launch(cuda::barrier<cuda::thread_scope_device> *all, float *cell)
{
    void *arguments[] = {&all, &cell};
    cudaLaunchCooperativeKernel((void *)step, dim3(2), dim3(64), arguments, 0, 0);
}
