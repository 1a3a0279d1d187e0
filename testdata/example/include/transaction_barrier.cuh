// An mbarrier in shared memory that counts arrivals and bytes.
#pragma once

#include <cstdint>
#include <cuda_runtime.h>

namespace example
{
class TransactionBarrier
{
public:
    __device__ void init(uint32_t arrivals)
    {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address()), "r"(arrivals));
    }

    __device__ void arrive()
    {
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address()) : "memory");
    }

    __device__ void arrive_and_expect(uint32_t bytes)
    {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address()),
                     "r"(bytes)
                     : "memory");
    }

    __device__ void wait(uint32_t parity)
    {
        asm volatile("{\n"
                     ".reg .pred done;\n"
                     "again:\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                     "@!done bra again;\n"
                     "}" ::"r"(address()),
                     "r"(parity)
                     : "memory");
    }

    // Copies `bytes` bytes and counts them on this barrier when they are there.
    __device__ void load(void *to, const void *from, uint32_t bytes)
    {
        uint32_t target = static_cast<uint32_t>(__cvta_generic_to_shared(to));
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                     "[%0], [%1], %2, [%3];" ::"r"(target),
                     "l"(from), "r"(bytes), "r"(address())
                     : "memory");
    }

private:
    __device__ uint32_t address() const
    {
        return static_cast<uint32_t>(__cvta_generic_to_shared(&storage_));
    }

    uint64_t storage_;
};
} // namespace example
