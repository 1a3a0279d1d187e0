// What the caller gives is checked in many ways before the launch, but for the number of rounds: with
// none, nobody arrives.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

struct options {
    int rounds = 1, depth = 4, warm = 0, quiet = 0;
};

__global__ void pass(int *out, int rounds)
{
    __shared__ uint64_t done;
    const uint32_t bar = static_cast<uint32_t>(__cvta_generic_to_shared(&done));
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar) : "memory");
    __syncthreads();
    if (threadIdx.x == 32) {
        for (int i = 0; i < rounds; ++i) {
            if (i == rounds - 1)
                asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(bar) : "memory");
        }
    }
    if (threadIdx.x < 32) {
        uint32_t over = 0;
        while (!over)
            asm volatile("{\n" // expect: arrive-loop-mismatch
                         ".reg .pred p;\n"
                         "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n"
                         "selp.u32 %0, 1, 0, p;\n"
                         "}"
                         : "=r"(over)
                         : "r"(bar)
                         : "memory");
        out[threadIdx.x] = rounds;
    }
}

int run(int *out, const options &given)
{
    if (given.depth < 1) {
        std::puts("too flat");
        return 1;
    }
    if (given.depth > 8) {
        std::puts("too deep");
        return 1;
    }
    if (given.warm < 0) {
        std::puts("too cold");
        return 1;
    }
    if (given.warm > 99) {
        std::puts("too hot");
        return 1;
    }
    if (given.quiet < 0) {
        std::puts("quiet?");
        return 1;
    }
    if (given.quiet > 1) {
        std::puts("quiet!");
        return 1;
    }
    if (out == nullptr) {
        std::puts("no memory");
        return 1;
    }
    if (cudaMemset(out, 0, 128) != cudaSuccess) {
        std::puts("no device");
        return 1;
    }
    pass<<<1, 64>>>(out, given.rounds);
    return cudaDeviceSynchronize() != cudaSuccess;
}
