// Lanes poll how far the first warp has got, and only those that need anything: both conditions
// make one value, which is voted on.
#include <cuda_runtime.h>

__global__ void follow(const volatile int *tails, const int *needed, int *out, int n)
{
    __shared__ volatile int tail[32];
    __shared__ volatile bool over[4];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (warp == 0)
        tail[lane] = -1;
    if (lane == 0)
        over[warp] = warp == 0;
    __syncthreads();
    if (warp == 0) {
        while (lane < 4) {
            bool all = true;
            for (int i = 1; i < 4; ++i)
                all = all && over[i];
            if (all)
                break;
            tail[lane] = tails[lane];
        }
    } else {
        for (int i = warp - 1; i < n; i += 3) {
            const int need = lane < 4 ? needed[i * 4 + lane] : -1;
            while (__any_sync(~0u, tail[lane] <= need && need >= 0)) {
            }
            out[i * 32 + lane] = need;
        }
        __syncwarp();
        if (lane == 0)
            over[warp] = true;
    }
}

void run(const int *tails, const int *needed, int *out, int n)
{
    follow<<<1, 128>>>(tails, needed, out, n);
}
