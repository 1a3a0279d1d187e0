// What a tile has of new rows and of old ones lies in memory. The place in the ring begins anew with
// each tile, while the barriers go on from where they are.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int stages = 2, row = 64;

struct place {
    int stage = 0;
    uint32_t phase = 0;
    __device__ void advance()
    {
        stage = stage + 1 == stages ? 0 : stage + 1;
        phase ^= stage == 0;
    }
};

struct ring {
    uint64_t full[stages], empty[stages];
};

__device__ void await(uint64_t *bar, uint32_t parity)
{
    while (!ptx::mbarrier_try_wait_parity(bar, parity)) {
    }
}

__device__ void fetch(ring &r, place &at, float (*rows)[row], const float *from, int count)
{
    for (int i = 0; i < count; ++i, at.advance()) {
        await(&r.empty[at.stage], at.phase ^ 1); // expect: phase-parity-flip
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &r.full[at.stage], row * 4);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, rows[at.stage], from + i * row, row * 4, &r.full[at.stage]);
    }
}

__device__ void meet()
{
    asm volatile("bar.sync 1, %0;" ::"n"(row + 32) : "memory");
}

__device__ float take(ring &r, place &at, float (*rows)[row], int count)
{
    float sum = 0;
    for (int i = 0; i < count; ++i, at.advance()) {
        await(&r.full[at.stage], at.phase); // expect: phase-parity-flip
        sum += rows[at.stage][threadIdx.x - 32];
        ptx::mbarrier_arrive(&r.empty[at.stage]);
    }
    return sum;
}

__global__ void sums(const float *fresh, const float *old, const int *fresh_rows, const int *old_rows, float *out, int tiles)
{
    __shared__ alignas(128) float fresh_row[stages][row], old_row[stages][row];
    __shared__ ring a, b;
    if (threadIdx.x == 0) {
        for (int i = 0; i < stages; ++i) {
            ptx::mbarrier_init(&a.full[i], 1);
            ptx::mbarrier_init(&a.empty[i], row);
            ptx::mbarrier_init(&b.full[i], 1);
            ptx::mbarrier_init(&b.empty[i], row);
        }
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        place at;
        for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            if (fresh_rows[tile] > 0) {
                if (threadIdx.x == 0)
                    fetch(a, at, fresh_row, fresh + tile * 32 * row, fresh_rows[tile]);
                meet();
                at = place();
            }
            if (threadIdx.x == 0)
                fetch(b, at, old_row, old + tile * 32 * row, old_rows[tile]);
        }
    } else {
        place at;
        for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            float sum = 0;
            if (fresh_rows[tile] > 0) {
                sum = take(a, at, fresh_row, fresh_rows[tile]);
                meet();
                at = place();
            }
            sum += take(b, at, old_row, old_rows[tile]);
            out[tile * row + threadIdx.x - 32] = sum;
        }
    }
}

void launch(const float *fresh, const float *old, const int *fresh_rows, const int *old_rows, float *out, int tiles, int blocks)
{
    sums<<<blocks, row + 32>>>(fresh, old, fresh_rows, old_rows, out, tiles);
}
