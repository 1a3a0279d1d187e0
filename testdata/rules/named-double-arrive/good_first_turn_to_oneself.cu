// Two warpgroups take turns. The first one signals its own barrier before the loop: with its wait
// there the count is reached, and from then on each gives the turn to the other.
#include <cuda_runtime.h>

constexpr int kGroup = 128, kTurn = 1;

struct Turns {
    int group;

    __device__ void take() const
    {
        asm volatile("bar.sync %0, %1;" ::"r"(kTurn + group), "n"(2 * kGroup) : "memory");
    }
    __device__ void give(int whom) const
    {
        asm volatile("bar.arrive %0, %1;" ::"r"(kTurn + whom), "n"(2 * kGroup) : "memory");
    }
};

__global__ void alternate(const float *__restrict__ in, float *__restrict__ out, int pairs)
{
    __shared__ float tile[kGroup];
    const int t = threadIdx.x % kGroup;
    const Turns turns{static_cast<int>(threadIdx.x) / kGroup};
    if (turns.group == 0)
        turns.give(0);
    for (int p = 0; p < pairs; ++p) {
        const int at = (2 * p + turns.group) * kGroup;
        turns.take();
        tile[t] = in[at + t];
        asm volatile("bar.sync %0, %1;" ::"r"(4 + turns.group), "n"(kGroup) : "memory");
        out[at + t] = tile[kGroup - 1 - t];
        asm volatile("bar.sync %0, %1;" ::"r"(4 + turns.group), "n"(kGroup) : "memory");
        turns.give(1 - turns.group);
    }
}

void launch(const float *in, float *out, int pairs)
{
    alternate<<<1, 2 * kGroup>>>(in, out, pairs);
}
