// Two consumers with 240 registers a thread and a producer with 40 are 66560: more than there are.
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

__global__ void __launch_bounds__(384) roles(const float *__restrict__ in, float *__restrict__ out)
{
    if (threadIdx.x / 128 == 0) {
        give_registers<40>();
        out[threadIdx.x] = in[threadIdx.x];
    } else {
        take_registers<240>(); // expect: warp-warpgroup
        out[threadIdx.x] = 2.0f * in[threadIdx.x];
    }
}

void run(const float *in, float *out)
{
    roles<<<16, 384>>>(in, out);
}
