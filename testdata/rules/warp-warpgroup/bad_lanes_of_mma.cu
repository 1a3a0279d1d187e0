// A tail of the tile is computed by the lanes that have data.
#include <cstdint>

__global__ void tile(const uint32_t *__restrict__ a, float *__restrict__ out)
{
    const int lane = threadIdx.x % 32;
    float d[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    if (lane < 16) {
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 " // expect: warp-warpgroup
                     "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "r"(a[lane]), "r"(a[lane + 32]), "r"(a[lane + 64]), "r"(a[lane + 96]),
                       "r"(a[lane + 128]), "r"(a[lane + 160]));
    }
    out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}

void run(const uint32_t *a, float *out)
{
    tile<<<16, 64>>>(a, out);
}
