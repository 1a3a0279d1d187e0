// Whole warps go on as long as one of their lanes has an element; and where the host passes as many
// elements as fill whole warps, or divides them by the blocks, none is left with a part.
#include <cuda_runtime.h>

__global__ void mark(const float *value, unsigned *bits, int count)
{
    const int lane = threadIdx.x % 32;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i - lane < count;
         i += gridDim.x * blockDim.x) {
        const unsigned set = __ballot_sync(0xffffffffu, i < count && value[i] > 0.0f);
        if (lane == 0)
            bits[i / 32] = set;
    }
}

__global__ void pairs(const float *in, float *out, int count)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        const float own = in[i];
        out[i] = own + __shfl_xor_sync(0xffffffffu, own, 1);
    }
}

__global__ void twice(const float *in, float *out, int count)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        const float own = in[i];
        out[i] = own + __shfl_xor_sync(0xffffffffu, own, 2);
    }
}

void launch(const float *value, unsigned *bits, float *out, int count, int rows)
{
    mark<<<132, 256>>>(value, bits, count);
    pairs<<<132, 256>>>(value, out, rows * 32);
    twice<<<count / 256, 256>>>(value, out, count);
}
