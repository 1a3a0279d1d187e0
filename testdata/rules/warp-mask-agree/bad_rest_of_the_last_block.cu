// The launch rounds up to whole blocks: the last one may end within a warp, which votes and sums.
#include <cuda_runtime.h>

__global__ void compact(const int *in, unsigned *bits, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        const unsigned set = __ballot_sync(0xffffffff, in[i] > 0); // expect: warp-mask-agree
        if (threadIdx.x % 32 == 0)
            bits[i / 32] = set;
    }
}

__global__ void pairs(const float *in, float *out, unsigned count)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += gridDim.x * blockDim.x) {
        const float own = in[i];
        out[i] = own + __shfl_xor_sync(0xffffffff, own, 1); // expect: warp-mask-agree
    }
}

static int blocks_for(int count, int size)
{
    return (count + size - 1) / size;
}

void launch(const int *in, unsigned *bits, const float *value, float *sum, int count)
{
    compact<<<blocks_for(count, 128), 128>>>(in, bits, count);
    const dim3 grid((count - 1) / 256 + 1);
    pairs<<<grid, 256>>>(value, sum, count);
}
