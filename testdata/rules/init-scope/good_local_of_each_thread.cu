// Each thread has a barrier of its own.
#include <cuda/barrier>

__global__ void counted(int *out, int rounds)
{
    cuda::barrier<cuda::thread_scope_thread> mine(1);
    for (int r = 0; r < rounds; ++r) {
        mine.arrive_and_wait();
        out[threadIdx.x] += r;
    }
}

void launch(int *out, int rounds)
{
    counted<<<1, 96>>>(out, rounds);
}
