// A warp gives the stage before back when it has waited for this one, and has met behind its reads of
// that one: what it reads meanwhile is not what the flag is about.
#include <cuda_runtime.h>

__global__ void delayed(int *out, const int *in, int n) {
    __shared__ volatile int full[2], empty[2];
    __shared__ int buf[2][32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (threadIdx.x < 2) { full[threadIdx.x] = 0; empty[threadIdx.x] = 1; }
    __syncthreads();
    if (warp == 0) {
        for (int i = 0; i < n; ++i) {
            int s = i & 1;
            if (lane == 0) { while (empty[s] == 0) {} empty[s] = 0; __threadfence_block(); }
            __syncwarp();
            buf[s][lane] = in[i * 32 + lane];
            __threadfence_block();
            __syncwarp();
            if (lane == 0) full[s] = 1;
        }
    } else {
        int sum = 0;
        for (int i = 0; i < n; ++i) {
            int s = i & 1;
            if (lane == 0) { while (full[s] == 0) {} full[s] = 0; __threadfence_block(); }
            __syncwarp();
            sum += buf[s][31 - lane];
            __threadfence_block();
            if (lane == 0 && i > 0) empty[s ^ 1] = 1;
        }
        out[lane] = sum;
    }
}

void run(int *out, const int *in, int rows)
{
    delayed<<<1, 64>>>(out, in, rows);
}
