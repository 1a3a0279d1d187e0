#include <cuda_runtime.h>


__device__ unsigned vote(unsigned mask, bool value)
{
    unsigned votes;
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %2, 0;\n\t" // expect: warp-mask-self
                 "vote.sync.ballot.b32 %0, p, %1;\n\t}"
                 : "=r"(votes)
                 : "r"(mask), "r"((unsigned)value));
    return votes;
}

__global__ void count(const int *in, unsigned *out)
{
    const int lane = threadIdx.x % 32;
    if (lane >= 16) {
        const unsigned votes = vote(0x0000ffff, in[threadIdx.x] > 0);
        out[threadIdx.x] = votes;
    }
}

void launch(const int *in, unsigned *out)
{
    count<<<8, 256>>>(in, out);
}
