// Twelve bytes a row: inline PTX with a size that is no multiple of 16.
#include <cstdint>
#include <cuda_runtime.h>

__device__ inline uint32_t shared_address(const void *pointer)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

__device__ inline void bulk_load(void *to, const void *from, uint32_t bytes, uint64_t *full)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 ::"r"(shared_address(to)), "l"(from), "r"(bytes), "r"(shared_address(full))
                 : "memory");
}

template <int kColumns>
__global__ void load_rows(const float *in, float *out)
{
    __shared__ alignas(16) float rows[4 * kColumns];
    __shared__ uint64_t full;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&full)));
    __syncthreads();
    if (threadIdx.x == 0) {
        uint32_t bytes = 3 * kColumns * sizeof(float);
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&full)),
                     "r"(bytes)
                     : "memory");
        bulk_load(rows, in, bytes, &full); // expect: tx-size-align
    }
    asm volatile("{\n"
                 ".reg .pred done;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0;\n"
                 "@!done bra again;\n"
                 "}" ::"r"(shared_address(&full))
                 : "memory");
    out[threadIdx.x] = rows[threadIdx.x % kColumns];
}

void run(const float *in, float *out)
{
    load_rows<5><<<1, 32>>>(in, out);
}
