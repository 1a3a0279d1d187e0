// CPU and GPU meet at an object of system scope; one of device scope is the host's before the launch
// and after the wait for it.
#include <cuda/barrier>
#include <cuda_runtime.h>

__managed__ cuda::barrier<cuda::thread_scope_system> shared_by_both;
__managed__ cuda::barrier<cuda::thread_scope_device> on_the_device;

__global__ void wait_for_the_host(float *cell)
{
    cell[threadIdx.x] += 1;
    shared_by_both.arrive_and_wait();
    cell[threadIdx.x] *= 2;
    on_the_device.arrive_and_wait();
    cell[31 - threadIdx.x] -= 1;
}

void launch(float *cell)
{
    init(&shared_by_both, 33);
    init(&on_the_device, 32);
    wait_for_the_host<<<1, 32>>>(cell);
    if (cudaGetLastError() == cudaSuccess)
        (void)shared_by_both.arrive();
    cudaDeviceSynchronize();
    init(&on_the_device, 64);
}
