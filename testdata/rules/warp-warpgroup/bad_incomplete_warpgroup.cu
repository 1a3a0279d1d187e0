// A block of 192 threads is one warpgroup and a half.
#include <cstdint>

__device__ inline void wait_for_all()
{
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

__global__ void halves(const float *__restrict__ in, float *__restrict__ out)
{
    out[threadIdx.x] = in[threadIdx.x];
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); // expect: warp-warpgroup
    wait_for_all(); // expect: warp-warpgroup
}

void run(const float *in, float *out)
{
    halves<<<16, 192>>>(in, out);
}
