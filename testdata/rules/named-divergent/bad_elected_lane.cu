// Only the elected lane comes to the barrier, for its warp.
#include <cstdint>

__device__ bool elect_one()
{
    uint32_t leader = 0;
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "elect.sync _|p, 0xffffffff;\n"
                 "selp.u32 %0, 1, 0, p;\n"
                 "}"
                 : "=r"(leader));
    return leader != 0;
}

struct NamedBarrier {
    static __device__ void arrive_and_wait(int threads, int id)
    {
        asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
    }
};

__global__ void stage(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float part[4];
    const int warp = threadIdx.x / 32;
    if (elect_one()) {
        part[warp] = in[warp];
        NamedBarrier::arrive_and_wait(128, 1); // expect: named-divergent
        out[warp] = part[3 - warp];
    }
}

void run(const float *in, float *out)
{
    stage<<<1, 128>>>(in, out);
}
