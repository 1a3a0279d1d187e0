#include <cuda/barrier>

// The library asks where the barrier lies, and copies by software where it is not in shared memory.
__global__ void lines(const int *in, int *out)
{
    __shared__ alignas(16) int line[256];
    cuda::barrier<cuda::thread_scope_system> copied;
    init(&copied, 1);
    if (threadIdx.x == 0) {
        cuda::memcpy_async(line, in, sizeof(line), copied);
        copied.arrive_and_wait();
        out[0] = line[0] + line[255];
    }
}

void launch(const int *in, int *out)
{
    lines<<<1, 32>>>(in, out);
}
