// The wait stands behind the loads of the fragments, not before them.
#include <cstdint>
#include <cuda_fp16.h>

constexpr int stages = 2, rows = 16, pitch = 16;

__device__ void copy_row(half *to, const half *from)
{
    const uint32_t at = static_cast<uint32_t>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from) : "memory");
}

__device__ void load_rows(uint32_t (&a)[4], const half *row)
{
    const uint32_t at = static_cast<uint32_t>(__cvta_generic_to_shared(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
                 : "r"(at));
}

__global__ void __launch_bounds__(32) multiply(const half *__restrict__ in,
                                               uint32_t *__restrict__ out, int tiles)
{
    __shared__ alignas(16) half tile[stages][rows][pitch];
    const int lane = threadIdx.x;
    copy_row(&tile[0][lane / 2][lane % 2 * 8], in + lane * 8);
    asm volatile("cp.async.commit_group;" ::: "memory");
    uint32_t sum = 0;
    for (int t = 0; t < tiles; ++t) {
        if (t + 1 < tiles)
            copy_row(&tile[(t + 1) % stages][lane / 2][lane % 2 * 8],
                     in + (t + 1) * rows * pitch + lane * 8);
        asm volatile("cp.async.commit_group;" ::: "memory");
        __syncwarp();
        uint32_t a[4];
        load_rows(a, &tile[t % stages][lane % 16][lane / 16 * 8]); // expect: tx-read-early
        sum += a[0] ^ a[1] ^ a[2] ^ a[3];
        asm volatile("cp.async.wait_group 1;" ::: "memory"); // expect: pipe-unbalanced
        __syncwarp();
    }
    out[lane] = sum;
}

void run(const half *in, uint32_t *out, int tiles)
{
    multiply<<<1, 32>>>(in, out, tiles);
}
