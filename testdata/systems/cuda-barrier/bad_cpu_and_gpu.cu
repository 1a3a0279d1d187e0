// The CPU arrives at an object of device scope that a kernel uses at the same time.
#include <cuda/barrier>

__managed__ cuda::barrier<cuda::thread_scope_device> meeting;

__global__ void wait_for_the_host(float *cell)
{
    cell[threadIdx.x] += 1;
    meeting.arrive_and_wait(); // expect: init-scope
    cell[threadIdx.x] *= 2;
}

void launch(float *cell)
{
    init(&meeting, 33);
    wait_for_the_host<<<1, 32>>>(cell);
    (void)meeting.arrive();
}
