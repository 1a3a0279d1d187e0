// Every other lane packs its own number with that of its neighbour, which all lanes execute with a
// mask that names the packing ones: the mask is wrong, and what is read comes of that.
#include <cuda_runtime.h>

__global__ void pack(const float *in, unsigned char *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned both = (unsigned)(in[i] * 15.0f);
    both |= __shfl_down_sync(0x55555555, both, 1) << 4; // expect: warp-mask-self
    if (threadIdx.x % 2 == 0)
        out[i / 2] = both;
}

void run(const float *in, unsigned char *out, int n)
{
    pack<<<n / 256, 256>>>(in, out);
}
