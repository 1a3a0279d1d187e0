// No clobber where a turn is waited for. What is read behind it was stored before the barrier of the block, and
// what is stored behind it lies in an array of the same memory that nobody has come to before.
#include <cstdint>

__device__ inline uint32_t smem(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__device__ inline void wait_for(uint32_t bar, uint32_t parity)
{
    asm volatile("{\n.reg .pred over;\nagain:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 over, [%0], %1;\n"
                 "@!over bra again;\n}" ::"r"(bar),
                 "r"(parity));
}

__global__ void weigh(const float *__restrict__ weights, float *__restrict__ out)
{
    extern __shared__ __align__(128) unsigned char memory[];
    float *weight = reinterpret_cast<float *>(memory);
    float *share = reinterpret_cast<float *>(memory + 1024);
    uint64_t *multiplied = reinterpret_cast<uint64_t *>(memory + 2048);
    weight[threadIdx.x] = weights[blockIdx.x * 256 + threadIdx.x];
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(smem(multiplied)));
    __syncthreads();
    if (threadIdx.x == 0)
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(smem(multiplied)) : "memory");
    wait_for(smem(multiplied), 0);
    share[threadIdx.x] = 0.5f * weight[threadIdx.x ^ 32];
    __syncthreads();
    out[blockIdx.x * 256 + threadIdx.x] = share[255 - threadIdx.x];
}

void launch(const float *weights, float *out, int rows)
{
    weigh<<<rows, 256, 2056>>>(weights, out);
}
