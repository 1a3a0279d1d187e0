// One flag is about the head, which a lane stores itself, the other one about the body, which the lanes
// have stored before they meet.
#include <cuda_runtime.h>

__global__ void two_flags(int *out, const int *in) {
    __shared__ volatile int a, b;
    __shared__ int data[32], header;
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (threadIdx.x == 0) { a = 0; b = 0; }
    __syncthreads();
    if (warp == 0) {
        data[lane] = in[lane];
        if (lane == 0) { header = in[100]; __threadfence_block(); a = 1; }
        __threadfence_block();
        __syncwarp();
        if (lane == 0) { __threadfence_block(); b = 1; }
    } else {
        if (lane == 0) { while (a == 0) {} __threadfence_block(); out[64] = header; }
        if (lane == 0) { while (b == 0) {} __threadfence_block(); }
        __syncwarp();
        out[lane] = data[31 - lane];
    }
}

void run(int *out, const int *in)
{
    two_flags<<<1, 64>>>(out, in);
}
