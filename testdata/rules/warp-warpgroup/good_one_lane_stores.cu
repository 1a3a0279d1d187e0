// Lanes part in between and stand together again.
#include <cstdint>

__device__ inline uint32_t smem(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__global__ void load(const uint32_t *__restrict__ in, uint32_t *__restrict__ out, int rounds)
{
    __shared__ alignas(16) uint32_t tile[128];
    const int lane = threadIdx.x;
    for (int round = 0; round < rounds; ++round) {
        for (int k = 0; k < 4; ++k)
            tile[k * 32 + lane] = in[round * 128 + k * 32 + lane];
        __syncwarp();
        uint32_t r[4];
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "r"(smem(&tile[lane * 4])));
        if (lane == 0)
            out[round] = r[0];
        else if (lane < 8)
            out[round + rounds] = r[1];
        __syncwarp();
    }
}

void run(const uint32_t *in, uint32_t *out, int rounds)
{
    load<<<16, 32>>>(in, out, rounds);
}
