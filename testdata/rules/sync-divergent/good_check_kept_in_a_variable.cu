// Whether the kernel is made for the order it is asked for is kept in a variable; it aborts where
// that is false. The order that would part the threads at a barrier is none of those.
#include <cuda_runtime.h>

constexpr int kThreads = 128;

enum Order { FORWARD, BACKWARD, FIRST_HALF };

__global__ void __launch_bounds__(kThreads)
    reorder(const float *__restrict__ in, float *__restrict__ out, int order)
{
    __shared__ float line[kThreads];
    const int t = threadIdx.x, at = blockIdx.x * kThreads;
    const bool supported = static_cast<unsigned>(order) < FIRST_HALF;
    if (!supported)
        __trap();
    line[t] = in[at + t];
    if (order == FIRST_HALF) {
        if (t < kThreads / 2)
            __syncthreads();
    } else {
        __syncthreads();
    }
    out[at + t] = line[order == FORWARD ? t : kThreads - 1 - t];
}

void launch(const float *in, float *out, int blocks, int order)
{
    reorder<<<blocks, kThreads>>>(in, out, order);
}
