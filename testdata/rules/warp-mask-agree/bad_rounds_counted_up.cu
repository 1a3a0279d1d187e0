// As many rounds as it takes for all elements, shared by whatever blocks there are.
#include <cuda_runtime.h>

constexpr int per_round = 64;

__global__ void flags(const int *in, unsigned *out, int images, int pixels)
{
    const int count = images * pixels;
    const int rounds = (count + per_round - 1) / per_round;
    for (int round = blockIdx.x; round < rounds; round += gridDim.x) {
        const int at = round * per_round + threadIdx.x;
        if (at < count) {
            const unsigned word = __ballot_sync(0xffffffffu, in[at] > 0); // expect: warp-mask-agree
            if (threadIdx.x % 32 == 0)
                out[at / 32] = word;
        }
    }
}

void run(const int *in, unsigned *out, int images, int pixels)
{
    flags<<<108, per_round>>>(in, out, images, pixels);
}
