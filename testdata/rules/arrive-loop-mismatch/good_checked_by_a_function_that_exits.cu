// What the caller gives is checked in many ways before the launch: by ways out of the launcher, and
// by a function that ends the program unless another one says that the number is one of a set. No
// launch has fewer than one round.
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
            asm volatile("{\n"
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

static void fail(const char *why)
{
    std::fprintf(stderr, "%s\n", why);
    std::exit(2);
}

static bool is_power(int value, int most)
{
    return value > 0 && value <= most && (value & (value - 1)) == 0;
}

static void validate(const options &given)
{
    if (!is_power(given.rounds, 64))
        fail("rounds: a power of two up to 64");
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
    validate(given);
    if (cudaMemset(out, 0, 128) != cudaSuccess) {
        std::puts("no device");
        return 1;
    }
    pass<<<1, 64>>>(out, given.rounds);
    return cudaDeviceSynchronize() != cudaSuccess;
}
