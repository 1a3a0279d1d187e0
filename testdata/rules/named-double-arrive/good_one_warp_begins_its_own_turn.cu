// Two groups fill their halves of a row, a warp stores it and gives the halves back. One warp of
// each group stands in for that warp before the first round: with its own wait the count is
// reached.
#include <cuda_runtime.h>

constexpr int kGroup = 128, kWarp = 32, kGroups = 2;
constexpr int kFree = 1, kFull = 3;

__device__ inline void wait_at(int id)
{
    asm volatile("bar.sync %0, %1;" ::"r"(id), "n"(kGroup + kWarp) : "memory");
}
__device__ inline void tell(int id)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(id), "n"(kGroup + kWarp) : "memory");
}

__device__ void fill(const float *in, float *row, int rows, int group, int lane)
{
    if (lane / kWarp == 0)
        tell(kFree + group);
    for (int r = 0; r < rows; ++r) {
        const float value = in[(r * kGroups + group) * kGroup + lane];
        wait_at(kFree + group);
        row[group * kGroup + lane] = value;
        tell(kFull + group);
    }
}

__device__ void store(float *out, const float *row, int rows, int lane)
{
    for (int r = 0; r < rows; ++r) {
        for (int group = 0; group < kGroups; ++group)
            wait_at(kFull + group);
        for (int i = lane; i < kGroups * kGroup; i += kWarp)
            out[r * kGroups * kGroup + i] = row[i];
        for (int group = 0; group < kGroups; ++group)
            tell(kFree + group);
    }
}

__global__ void __launch_bounds__(kWarp + kGroups * kGroup)
    stream(const float *in, float *out, int rows)
{
    __shared__ float row[kGroups * kGroup];
    const int t = static_cast<int>(threadIdx.x) - kWarp;
    if (t < 0)
        store(out, row, rows, threadIdx.x);
    else
        fill(in, row, rows, t / kGroup, t % kGroup);
}

void launch(const float *in, float *out, int rows)
{
    stream<<<8, kWarp + kGroups * kGroup>>>(in, out, rows);
}
