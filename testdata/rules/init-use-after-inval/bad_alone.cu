// One thread alone tries a barrier out, and asks it after it has made it invalid.
#include <cuda/barrier>

__global__ void try_out(int *passed)
{
    __shared__ uint64_t slot;
    unsigned address = (unsigned)__cvta_generic_to_shared(&slot);
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address) : "memory");
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address) : "memory");
    asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(address) : "memory");
    int done = 0;
    asm volatile("{ .reg .pred p;" // expect: init-use-after-inval
                 " mbarrier.test_wait.parity.shared::cta.b64 p, [%1], 0;"
                 " selp.s32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(address)
                 : "memory");
    *passed = done;
}

void run(int *passed)
{
    try_out<<<1, 1>>>(passed);
}
