#include <cuda_runtime.h>


__global__ void compact(const int *in, int *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned mask = __ballot_sync(0xffffffffu, i < n);
    if (i < n) {
        int value = in[i];
        for (int step = 16; step > 0; step /= 2)
            value = max(value, __shfl_down_sync(mask, value, step));
        if (threadIdx.x % 32 == 0)
            out[i / 32] = value;
    }
}

void launch(const int *in, int *out, int n)
{
    compact<<<(n + 255) / 256, 256>>>(in, out, n);
}
