// Roles by warpgroup, the index made uniform by a shuffle; the registers fit.
template <int Count>
__device__ inline void give_registers()
{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(Count));
}
template <int Count>
__device__ inline void take_registers()
{
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(Count));
}

__global__ void __launch_bounds__(384) roles(const float *__restrict__ in, float *__restrict__ out,
                                             int tiles)
{
    const int role = __shfl_sync(0xffffffffu, threadIdx.x / 128, 0);
    if (role == 0) {
        give_registers<24>();
        if (threadIdx.x == 0)
            out[0] = in[0];
    } else {
        take_registers<240>();
        for (int t = 0; t < tiles; ++t) {
            asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
            asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
            asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
            out[t * 384 + threadIdx.x] = 2.0f * in[threadIdx.x];
        }
    }
}

void run(const float *in, float *out, int tiles)
{
    roles<<<16, 384>>>(in, out, tiles);
}
