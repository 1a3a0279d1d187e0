// The shared variable is reached through a reference to a record, or a pointer into it.
#include <cstdint>

struct storage {
    float tile[2][128];
    uint64_t free;
};

__device__ uint32_t address_of(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__device__ void give_back(uint64_t *bar)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address_of(bar))); // expect: port-asm-clobber
}

__global__ void blur(const float *in, float *out)
{
    extern __shared__ __align__(16) unsigned char memory[];
    storage &s = *reinterpret_cast<storage *>(memory);
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address_of(&s.free)), "r"(128) : "memory");
    __syncthreads();
    s.tile[0][threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s.tile[0][127 - threadIdx.x];
    give_back(&s.free);
}

__global__ void fold(const float *in, float *out)
{
    __shared__ storage s;
    float *line = s.tile[1];
    line[threadIdx.x] = in[threadIdx.x];
    asm volatile("bar.sync 1, 128;"); // expect: port-asm-clobber
    out[threadIdx.x] = line[127 - threadIdx.x];
}

void launch(const float *in, float *out)
{
    blur<<<1, 128, sizeof(storage)>>>(in, out);
    fold<<<1, 128>>>(in, out);
}
