// Two teams read each tile and each gives it back by itself, to a barrier that counts one arrival:
// the loader is let on by the first, and runs into the other's data.
#include <cstdint>

__device__ inline unsigned smem(const void *p)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

struct semaphore {
    uint64_t word;
    __device__ void init(int count)
    {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(smem(&word)), "r"(count)
                     : "memory");
    }
    __device__ void arrive()
    {
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(smem(&word)) : "memory");
    }
    __device__ void wait(int parity)
    {
        asm volatile("{\n\t.reg .pred p;\n"
                     "AGAIN:\n\t"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n\t"
                     "@!p bra AGAIN;\n\t}" ::"r"(smem(&word)),
                     "r"(parity)
                     : "memory");
    }
};

__global__ void __launch_bounds__(288) two_teams(const float *in, float *out, int tiles)
{
    __shared__ float tile[2][128];
    __shared__ semaphore loaded[2], given_back[2];
    if (threadIdx.x == 0)
        for (int s = 0; s < 2; ++s) {
            loaded[s].init(32);
            given_back[s].init(1);
        }
    __syncthreads();
    if (threadIdx.x >= 256) {
        for (int i = 0; i < tiles; ++i) {
            given_back[i & 1].wait(((i >> 1) & 1) ^ 1);
            for (int k = threadIdx.x - 256; k < 128; k += 32)
                tile[i & 1][k] = in[i * 128 + k];
            loaded[i & 1].arrive();
        }
    } else {
        const int team = threadIdx.x / 128;
        for (int i = 0; i < tiles; ++i) {
            loaded[i & 1].wait((i >> 1) & 1);
            out[(2 * i + team) * 128 + threadIdx.x % 128] = tile[i & 1][127 - threadIdx.x % 128];
            asm volatile("bar.sync %0, 128;" ::"r"(1 + team) : "memory");
            if (threadIdx.x % 128 == 0)
                given_back[i & 1].arrive(); // expect: init-count-mismatch
        }
    }
}

void run(const float *in, float *out, int tiles)
{
    two_teams<<<1, 288>>>(in, out, tiles);
}
