// The helper that ends a role drops out, and the caller does so again.
#include <cstdint>

__device__ uint32_t address_of(const uint64_t *word)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(word));
}

__device__ void drop(uint64_t *word)
{
    asm volatile("mbarrier.arrive_drop.shared::cta.b64 _, [%0];" ::"r"(address_of(word))
                 : "memory");
}

__device__ void finish(uint64_t *word, float *cell, float value)
{
    cell[threadIdx.x] = value;
    drop(word);
    __syncwarp();
}

__global__ void ends(float *data)
{
    __shared__ uint64_t stored;
    __shared__ float line[64];
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 96;" ::"r"(address_of(&stored)));
    __syncthreads();
    if (threadIdx.x < 32) {
        finish(&stored, line, data[threadIdx.x]);
        drop(&stored); // expect: exit-drop-then-use
    } else {
        line[threadIdx.x] = data[threadIdx.x];
        asm volatile("{\n"
                     ".reg .b64 token;\n"
                     ".reg .pred done;\n"
                     "mbarrier.arrive.shared::cta.b64 token, [%0];\n"
                     "poll:\n"
                     "mbarrier.try_wait.shared::cta.b64 done, [%0], token;\n"
                     "@!done bra poll;\n"
                     "}" ::"r"(address_of(&stored))
                     : "memory");
        data[threadIdx.x] = line[63 - threadIdx.x];
    }
}

void run(float *data)
{
    ends<<<1, 64>>>(data);
}
