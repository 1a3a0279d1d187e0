// One warp fills a slot for another one, by two words in shared memory that say how often it was
// filled and emptied. A lane of each asks for its warp and speaks for it.
#include <cuda_runtime.h>

__device__ inline int acquire(const int *word)
{
    int value;
    asm volatile("ld.acquire.cta.shared.s32 %0, [%1];"
                 : "=r"(value)
                 : "r"((unsigned)__cvta_generic_to_shared(word))
                 : "memory");
    return value;
}

__device__ inline void release(int *word, int value)
{
    asm volatile("st.release.cta.shared.s32 [%0], %1;" ::"r"(
                     (unsigned)__cvta_generic_to_shared(word)),
                 "r"(value)
                 : "memory");
}

__device__ inline void wait_for(const int *word, int value, int lane)
{
    if (lane == 0) {
        while (acquire(word) < value) {
        }
    }
    __syncwarp();
}

__device__ inline void tell(int *word, int value, int lane)
{
    __syncwarp();
    if (lane == 0)
        release(word, value);
}

__global__ void mirrored(const int *__restrict__ in, int rows, int *__restrict__ out)
{
    __shared__ int slot[32];
    __shared__ int filled, emptied;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x == 0)
        filled = emptied = 0;
    __syncthreads();
    for (int r = 0; r < rows; ++r) {
        if (warp == 0) {
            wait_for(&emptied, r, lane);
            slot[lane] = in[r * 32 + lane];
            tell(&filled, r + 1, lane);
        } else {
            wait_for(&filled, r + 1, lane);
            out[r * 32 + lane] = slot[31 - lane];
            tell(&emptied, r + 1, lane);
        }
    }
}

void run(const int *in, int rows, int *out)
{
    mirrored<<<1, 64>>>(in, rows, out);
}
