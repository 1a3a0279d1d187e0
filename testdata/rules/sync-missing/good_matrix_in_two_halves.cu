// The warps compute with ldmatrix on a tile that all of them have stored, behind a barrier. The next
// one goes into the other half while slower warps still load from this one.
#include <cstdint>
#include <cuda_fp16.h>

constexpr int rows = 32, pitch = 24;

__device__ void load_rows(uint32_t (&a)[4], const half *row)
{
    const uint32_t at = static_cast<uint32_t>(__cvta_generic_to_shared(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
                 : "r"(at));
}

__global__ void square(const half *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ alignas(16) half tile[2][rows][pitch];
    const int lane = threadIdx.x % 32;
    float c[4] = {};
    for (int t = 0; t < tiles; ++t) {
        for (int i = threadIdx.x; i < rows * 16; i += blockDim.x)
            tile[t % 2][i / 16][i % 16] = in[t * rows * 16 + i];
        __syncthreads();
        uint32_t a[4];
        load_rows(a, &tile[t % 2][lane % 16][lane / 16 * 8]);
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
                     "{%4, %5, %6, %7}, {%4, %5}, {%0, %1, %2, %3};"
                     : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]));
    }
    for (int i = 0; i < 4; ++i)
        out[threadIdx.x * 4 + i] = c[i];
}

void run(const half *in, float *out, int tiles)
{
    square<<<1, 128>>>(in, out, tiles);
}
