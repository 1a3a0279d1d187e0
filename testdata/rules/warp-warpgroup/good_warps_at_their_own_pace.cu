// Each warp has its own tiles, how many the data say, and executes its instruction whole.
#include <cstdint>

__global__ void tiles(const uint32_t *__restrict__ a, const int *__restrict__ count,
                      float *__restrict__ out)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float d[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    const int mine = __shfl_sync(0xffffffffu, count[warp], 0);
    for (int t = 0; t < mine; ++t) {
        const uint32_t *at = a + (t * 4 + warp) * 192;
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                     "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "r"(at[lane]), "r"(at[lane + 32]), "r"(at[lane + 64]), "r"(at[lane + 96]),
                       "r"(at[lane + 128]), "r"(at[lane + 160]));
    }
    out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}

void run(const uint32_t *a, const int *count, float *out)
{
    tiles<<<16, 128>>>(a, count, out);
}
