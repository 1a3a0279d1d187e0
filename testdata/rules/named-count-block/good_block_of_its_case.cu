// Each size of the block is launched with the instance that is made for it.
#include <cuda_runtime.h>

template <int Threads> __global__ void largest(const float *in, float *out, int columns)
{
    __shared__ float part[Threads / 32];
    float value = -1e30f;
    for (int c = threadIdx.x; c < columns; c += Threads)
        value = fmaxf(value, in[blockIdx.x * columns + c]);
    for (int step = 16; step > 0; step /= 2)
        value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, step));
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = value;
    asm volatile("bar.sync 1, %0;" ::"n"(Threads) : "memory");
    if (threadIdx.x == 0) {
        for (int w = 1; w < Threads / 32; ++w)
            value = fmaxf(value, part[w]);
        out[blockIdx.x] = value;
    }
}

void run(const float *in, float *out, int rows, int columns)
{
    const int threads = columns >= 4096 ? 512 : 128;
    switch (threads) {
    case 512:
        largest<512><<<rows, threads>>>(in, out, columns);
        break;
    default:
        largest<128><<<rows, threads>>>(in, out, columns);
    }
}
