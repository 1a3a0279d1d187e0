// A barrier of the library of device scope, one for all blocks, in a plain launch.
#include <cuda/barrier>

using grid_barrier = cuda::barrier<cuda::thread_scope_device>;

__global__ void relax(float *data, grid_barrier *barrier)
{
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    data[at] *= 0.5f;
    barrier->arrive_and_wait(); // expect: grid-handmade
    data[at] += data[at ^ 1];
}

void run(float *data, grid_barrier *barrier)
{
    relax<<<512, 256>>>(data, barrier);
}
