// The barrier hides in a lambda that only the first warp calls.
#include <cuda_runtime.h>

template <int Threads>
__global__ void scan(int *data)
{
    __shared__ int part[Threads / 32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    auto publish = [&](int value) {
        part[warp] = value;
        __syncthreads(); // expect: sync-divergent
    };
    int sum = data[threadIdx.x];
    for (int step = 1; step < 32; step *= 2) {
        const int other = __shfl_up_sync(0xffffffffu, sum, step);
        if (lane >= step)
            sum += other;
    }
    if (warp < Threads / 32 - 1)
        publish(sum);
    data[threadIdx.x] = sum + (warp > 0 ? part[warp - 1] : 0);
}

void run(int *data)
{
    scan<128><<<1, 128>>>(data);
}
