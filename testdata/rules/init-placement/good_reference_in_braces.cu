// References that are initialised with braces are the objects they name, and no copies of them.
#include <cstdint>

struct storage {
    alignas(128) float data[32];
    uint64_t barrier;
};

__global__ void fill(float *out, const float *in)
{
    extern __shared__ __align__(128) unsigned char memory[];
    auto &all{*reinterpret_cast<storage *>(memory)};
    auto &barrier{all.barrier};
    uint32_t address = static_cast<uint32_t>(__cvta_generic_to_shared(&barrier));
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address), "r"(32) : "memory");
    }
    __syncthreads();
    all.data[31 - threadIdx.x] = in[threadIdx.x];
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "mbarrier.arrive.shared::cta.b64 _, [%0];\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n"
                 "@!p bra again;\n"
                 "}" ::"r"(address)
                 : "memory");
    out[threadIdx.x] = all.data[threadIdx.x];
}

void run(float *out, const float *in)
{
    fill<<<1, 32, sizeof(storage)>>>(out, in);
}
