// Both roles count as many rounds, each for itself, and meet when it is that many.
#include <cuda_runtime.h>

__global__ void count_and_pass(float *out, const float *in) {
    __shared__ float buf[32];
    int t = threadIdx.x;
    float s = 0;
    if (t < 32) {
        int n = 0;
        for (int i = 0; i < 1000; ++i) { s += in[i]; ++n; }
        if (n == 1000) { buf[t] = s; asm volatile("bar.sync 1, 64;" ::: "memory"); }
    } else {
        int n = 0;
        for (int i = 0; i < 1000; ++i) { s += in[i + 5]; n += 1; }
        if (n == 1000) { asm volatile("bar.sync 1, 64;" ::: "memory"); out[t] = buf[t - 32]; }
    }
}

void run(float *out, const float *in)
{
    count_and_pass<<<1, 64>>>(out, in);
}
