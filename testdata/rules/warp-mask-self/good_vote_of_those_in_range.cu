#include <cuda_runtime.h>

// A warp takes a word of bits; the range may begin within its first word.
__global__ void fill(const int *in, unsigned *bits, int begin, int end)
{
    const int lane = threadIdx.x % 32;
    const int word = begin / 32 + (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int i = word * 32 + lane;
    if (word < (end + 31) / 32) {
        const bool inside = i >= begin && i < end;
        const unsigned here = __ballot_sync(0xffffffff, inside);
        const bool set = inside && in[i - begin] > 0;
        const unsigned sets = __ballot_sync(0xffffffff, set);
        if (lane == 0)
            bits[word] = (bits[word] & ~here) | sets;
    }
}

void launch(const int *in, unsigned *bits, int begin, int end)
{
    fill<<<(end - begin + 255) / 128, 128>>>(in, bits, begin, end);
}
