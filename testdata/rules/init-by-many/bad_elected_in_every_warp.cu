// elect.sync picks a lane in every warp; without a test for the warp four threads initialise.
#include <cstdint>

__device__ inline bool elect_one()
{
    uint32_t chosen;
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 ".reg .b32 lane;\n"
                 "elect.sync lane|p, 0xffffffff;\n"
                 "selp.b32 %0, 1, 0, p;\n"
                 "}"
                 : "=r"(chosen));
    return chosen != 0;
}

struct Barrier {
    uint64_t word;

    __device__ uint32_t at() const
    {
        return static_cast<uint32_t>(__cvta_generic_to_shared(&word));
    }
    __device__ void init(uint32_t count)
    {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at()), "r"(count));
    }
    __device__ void arrive()
    {
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at()) : "memory");
    }
    __device__ void wait(uint32_t parity)
    {
        asm volatile("{\n"
                     ".reg .pred p;\n"
                     "again:\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
                     "@!p bra again;\n"
                     "}" ::"r"(at()),
                     "r"(parity)
                     : "memory");
    }
};

__global__ void __launch_bounds__(128) reverse(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ Barrier stored;
    __shared__ int tile[128];
    if (elect_one())
        stored.init(128); // expect: init-by-many
    __syncthreads();
    tile[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    stored.arrive();
    stored.wait(0);
    out[blockIdx.x * 128 + threadIdx.x] = tile[127 - threadIdx.x];
}

void run(const int *in, int *out, int blocks)
{
    reverse<<<blocks, 128>>>(in, out);
}
