// The producer tears the ring down as soon as it has filled the last tile; the consumers have yet
// to wait for it.
#include <cstdint>

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
    __device__ void invalidate()
    {
        asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(at()) : "memory");
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

__global__ void pass_on(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ Barrier full;
    __shared__ int tile[32];
    if (threadIdx.x == 0)
        full.init(32);
    __syncthreads();
    if (threadIdx.x < 32) {
        tile[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];
        full.arrive();
        __syncwarp();
        if (threadIdx.x == 0)
            full.invalidate(); // expect: init-use-after-inval
    } else {
        full.wait(0);
        out[blockIdx.x * 32 + threadIdx.x - 32] = tile[63 - threadIdx.x];
    }
}

void run(const int *in, int *out, int blocks)
{
    pass_on<<<blocks, 64>>>(in, out);
}
