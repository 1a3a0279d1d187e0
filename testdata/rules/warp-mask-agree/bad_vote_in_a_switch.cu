#include <cuda_runtime.h>


__global__ void kinds(const int *in, unsigned *out)
{
    unsigned votes = 0;
    switch (threadIdx.x % 4) {
    case 0:
        votes = __ballot_sync(0xffffffffu, in[threadIdx.x] > 0); // expect: warp-mask-agree
        break;
    case 1:
        votes = 1;
        break;
    default:
        break;
    }
    out[threadIdx.x] = votes;
}

void launch(const int *in, unsigned *out)
{
    kinds<<<2, 64>>>(in, out);
}
