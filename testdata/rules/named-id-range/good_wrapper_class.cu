// The last number a user of the class may take is 7.
#include <cuda_runtime.h>

class NamedBarrier
{
public:
    static constexpr int kReserved = 8;

    __device__ static void sync(int threads, int id)
    {
        int barrier = id + kReserved;
        asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
    }
};

template <int kMathGroups>
__global__ void mainloop(float *data)
{
    int group = threadIdx.x / 128;
    data[threadIdx.x] += 1.0f;
    if (group < kMathGroups)
        NamedBarrier::sync(128, group + 2);
    data[threadIdx.x] += data[threadIdx.x ^ 1];
}

void run(float *data)
{
    mainloop<6><<<1, 768>>>(data);
}
