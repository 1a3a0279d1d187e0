#include <cuda_pipeline.h>
#include <cstdint>

// The lowest score of each thread's bucket, four at a time, the next four under way.
template <typename S>
__global__ void lowest(const S *scores, const uint32_t *free_at, uint32_t *locks, const uint32_t *sizes, const uint32_t *keys, S *out,
                       uint32_t capacity, size_t n)
{
    constexpr uint32_t STRIDE = 4, PIECE = 16 / sizeof(S);
    __shared__ alignas(16) S stage[128][2 * STRIDE];
    const uint32_t tx = threadIdx.x;
    bool taken = false;
    const size_t mine_at = blockIdx.x * blockDim.x + tx;
    if (mine_at >= n)
        return;
    const uint32_t key = keys[mine_at];
    if (key == ~0u)
        return;
    for (uint32_t at = 0; at < capacity + STRIDE; at += STRIDE) {
        if (taken)
            break;
        for (int part = 0; part < 1; ++part) {
            uint32_t alike = __vcmpeq4(free_at[at + part], key) & 0x01010101;
            bool mine = false;
            do {
                if (alike == 0)
                    break;
                uint32_t which = (__ffs(alike) - 1) >> 3;
                alike &= alike - 1;
                mine = atomicCAS(&locks[at + which], key, 0u) == key;
            } while (!mine);
            if (mine) {
                taken = true;
                break;
            } else if (sizes[blockIdx.x] == capacity) {
                continue;
            }
            alike = __vcmpeq4(free_at[at + part], 0u) & 0x01010101;
            do {
                if (alike == 0)
                    break;
                uint32_t which = (__ffs(alike) - 1) >> 3;
                alike &= alike - 1;
                mine = atomicCAS(&locks[at + which], 0u, key) == 0;
            } while (!mine);
            if (mine) {
                taken = true;
                break;
            }
        }
    }
    S least = 0;
    while (!taken) {
        for (uint32_t j = 0; j < STRIDE; j += PIECE)
            __pipeline_memcpy_async(stage[tx] + j, scores + j, sizeof(S) * PIECE); // expect: group-copy-no-wait
        __pipeline_commit();
        for (uint32_t i = 0; i < capacity; i += STRIDE) {
            uint32_t now = i / STRIDE & 1;
            if (i < capacity - STRIDE)
                for (uint32_t j = 0; j < STRIDE; j += PIECE)
                    __pipeline_memcpy_async(stage[tx] + (now ^ 1) * STRIDE + j, // expect: group-copy-no-wait
                                            scores + i + STRIDE + j, sizeof(S) * PIECE);
            __pipeline_commit();
            for (uint32_t j = 0; j < STRIDE; ++j)
                least = stage[tx][now * STRIDE + j] < least ? stage[tx][now * STRIDE + j] : least;
        }
        taken = least != 0;
    }
    out[tx] = least;
}
