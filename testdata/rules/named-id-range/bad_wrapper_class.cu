// A class in the manner of CUTLASS's NamedBarrier: its user's numbers start behind reserved ones.
#include <cuda_runtime.h>

class NamedBarrier
{
public:
    static constexpr int kReserved = 8;

    __device__ NamedBarrier(int threads, int id) : threads_(threads), id_(id)
    {
    }

    __device__ void arrive_and_wait() const
    {
        sync(threads_, id_);
    }

    __device__ static void sync(int threads, int id)
    {
        int barrier = id + kReserved;
        asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
    }

private:
    int threads_, id_;
};

template <int kMathGroups>
__global__ void mainloop(float *data)
{
    int group = threadIdx.x / 128;
    data[threadIdx.x] += 1.0f;
    if (group < kMathGroups) {
        NamedBarrier barrier(128, group + 4); // 4 to 9 of the user's 0 to 7
        barrier.arrive_and_wait(); // expect: named-id-range
    }
    data[threadIdx.x] += data[threadIdx.x ^ 1];
}

void run(float *data)
{
    mainloop<6><<<1, 768>>>(data);
}
