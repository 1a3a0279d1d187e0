// The block is not told here, only how many threads it has at most: the rows of it are the roles,
// and a row has as many threads as the barrier expects.
#include <cstdint>

struct barrier {
    uint64_t word;
    __device__ uint32_t at() const { return (uint32_t)__cvta_generic_to_shared(&word); }
    __device__ void init(uint32_t count)
    {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at()), "r"(count) : "memory");
    }
    __device__ uint64_t arrive()
    {
        uint64_t token;
        asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 %0, [%1];"
                     : "=l"(token)
                     : "r"(at())
                     : "memory");
        return token;
    }
    __device__ void wait(uint64_t token)
    {
        uint32_t done = 0;
        while (!done)
            asm volatile("{ .reg .pred p;\n"
                         "mbarrier.try_wait.acquire.cta.shared::cta.b64 p, [%1], %2;\n"
                         "selp.u32 %0, 1, 0, p; }"
                         : "=r"(done)
                         : "r"(at()), "l"(token)
                         : "memory");
    }
};

// Launched by another program as blocks of 64 threads in three rows.
extern "C" __global__ void __launch_bounds__(192) doubled(const float *in, float *out, int rounds)
{
    __shared__ barrier full, empty;
    __shared__ float part[64];
    unsigned lane = threadIdx.x % 64, row = threadIdx.z;
    if (row == 0 && threadIdx.x == 0) {
        full.init(64 + 32);
        empty.init(64 + 32);
    }
    __syncthreads();
    if (row == 0) {
        empty.arrive();
        for (int i = 0; i < rounds; ++i) {
            full.wait(full.arrive());
            out[i * 64 + lane] = 2 * part[63 - lane];
            empty.arrive();
        }
    } else if (row == 1 && lane < 32) {
        for (int i = 0; i < rounds; ++i) {
            empty.wait(empty.arrive());
            part[lane] = in[i * 64 + lane];
            part[lane + 32] = in[i * 64 + lane + 32];
            full.arrive();
        }
    }
}
