// Each warp hands the last column of a strip on to the next one, and at the end its best score to the
// first one: of that the pair of barriers says nothing, though the warps that wrote it end there.
#include <cuda_runtime.h>

template <int Warps>
__global__ void __launch_bounds__(Warps * 32) align(const int *in, int *best, int strips)
{
    __shared__ int edge[Warps], top[Warps];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int score = 0;
    for (int s = 0; s < strips; ++s) {
        if (warp > 0) {
            asm volatile("barrier.sync %0, 64;" ::"r"(warp) : "memory");
            score = max(score, edge[warp - 1]);
            asm volatile("barrier.arrive %0, 64;" ::"r"(warp + Warps) : "memory");
        }
        score = __reduce_max_sync(0xffffffffu, score + in[s * Warps * 32 + threadIdx.x]);
        if (warp < Warps - 1) {
            if (s > 0)
                asm volatile("barrier.sync %0, 64;" ::"r"(warp + 1 + Warps) : "memory");
            if (lane == 31)
                edge[warp] = score;
            asm volatile("barrier.arrive %0, 64;" ::"r"(warp + 1) : "memory");
        }
    }
    if (warp < Warps - 1 && strips > 0)
        asm volatile("barrier.sync %0, 64;" ::"r"(warp + 1 + Warps) : "memory");
    if (lane == 0)
        top[warp] = score;
    if (threadIdx.x == 0) {
        int most = 0;
        for (int i = 0; i < Warps; ++i)
            most = max(most, top[i]); // expect: sync-missing
        best[blockIdx.x] = most;
    }
}

void run(const int *in, int *best, int strips)
{
    align<4><<<32, 128>>>(in, best, strips);
}
