// The number of the warp in hardware is looked at for a table of times only: roles come from the
// thread's number.
#include <cuda/ptx>

__global__ void relay(const float *in, float *out, long long *begun)
{
    __shared__ float line[64];
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane == 0)
        begun[cuda::ptx::get_sreg_smid() * 64 + cuda::ptx::get_sreg_warpid()] = clock64();
    if (cuda::ptx::get_sreg_warpid() == 0 && lane == 0)
        begun[0] = 0;
    if (warp < 2) {
        line[warp * 32 + lane] = in[warp * 32 + lane];
        asm volatile("bar.arrive 3, 128;" ::: "memory");
    } else {
        asm volatile("bar.sync 3, 128;" ::: "memory");
        out[(warp - 2) * 32 + lane] = line[(warp - 2) * 32 + lane];
    }
}

void run(const float *in, float *out, long long *begun)
{
    relay<<<1, 128>>>(in, out, begun);
}
