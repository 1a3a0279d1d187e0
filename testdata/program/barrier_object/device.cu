#include "device.h"

static __device__ unsigned address_of(unsigned long long *barrier)
{
    return (unsigned)__cvta_generic_to_shared(barrier);
}

__device__ void init(unsigned long long *barrier, unsigned count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address_of(barrier)), "r"(count));
}

__device__ void arrive(unsigned long long *barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address_of(barrier)) : "memory");
}

__device__ void wait(unsigned long long *barrier, unsigned parity)
{
    asm volatile("{\n"
                 ".reg .pred done;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@done bra finished;\n"
                 "bra again;\n"
                 "finished:\n"
                 "}" ::"r"(address_of(barrier)),
                 "r"(parity)
                 : "memory");
}
