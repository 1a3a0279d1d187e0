// Outside shared memory the library counts by itself, but nobody else ever comes to a local object.
#include <cuda/barrier>

__global__ void rounds(float *data, int count)
{
    cuda::barrier<cuda::thread_scope_block> bar;
    init(&bar, blockDim.x); // expect: init-placement
    for (int r = 0; r < count; ++r) {
        data[threadIdx.x] += r;
        bar.arrive_and_wait();
    }
}

void launch(float *data, int count)
{
    rounds<<<1, 128>>>(data, count);
}
