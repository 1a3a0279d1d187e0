// No clobber where a copy is waited for that writes over an array of dynamic shared memory: its address went to the
// copy as a number.
#include <cstdint>

__device__ inline uint32_t smem(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__device__ inline void wait_for(uint32_t bar, uint32_t parity)
{
    asm volatile("{\n.reg .pred over;\nagain:\n" // expect: port-asm-clobber
                 "mbarrier.try_wait.parity.shared::cta.b64 over, [%0], %1;\n"
                 "@!over bra again;\n}" ::"r"(bar),
                 "r"(parity));
}

__global__ void weigh(const float *__restrict__ weights, const float *__restrict__ more,
                      float *__restrict__ out)
{
    extern __shared__ __align__(128) unsigned char memory[];
    float *weight = reinterpret_cast<float *>(memory);
    float *share = reinterpret_cast<float *>(memory + 1024);
    uint64_t *copied = reinterpret_cast<uint64_t *>(memory + 2048);
    uint32_t place = smem(weight);
    weight[threadIdx.x] = weights[blockIdx.x * 256 + threadIdx.x];
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(smem(copied)));
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 1024;" ::"r"(smem(copied)) : "memory");
        asm volatile("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];" ::"r"(place),
                     "l"(more + blockIdx.x * 256), "r"(smem(copied))
                     : "memory");
    }
    wait_for(smem(copied), 0);
    share[threadIdx.x] = 0.5f * weight[threadIdx.x ^ 32];
    __syncthreads();
    out[blockIdx.x * 256 + threadIdx.x] = share[255 - threadIdx.x];
}

void launch(const float *weights, const float *more, float *out, int rows)
{
    weigh<<<rows, 256, 2056>>>(weights, more, out);
}
