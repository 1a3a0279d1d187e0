// A warp that has nothing to do ends with the exit instruction.
#include <cuda_awbarrier_primitives.h>

__device__ void leave()
{
    asm volatile("exit;");
}

__global__ void blend(const float *__restrict__ in, float *__restrict__ out, int rows)
{
    __shared__ __mbarrier_t stored;
    __shared__ float line[128];
    if (threadIdx.x == 0)
        __mbarrier_init(&stored, 128);
    __syncthreads();
    const int row = threadIdx.x / 32;
    line[threadIdx.x] = 0.0f;
    for (int r = 0; r < 4; ++r) {
        if (row + r * 4 >= rows)
            asm volatile("exit;"); // expect: exit-missing-drop
        line[threadIdx.x] += in[(row + r * 4) * 32 + threadIdx.x % 32]; // expect: sync-missing
        const __mbarrier_token_t token = __mbarrier_arrive(&stored);
        while (!__mbarrier_test_wait(&stored, token)) {
        }
        out[(row + r * 4) * 32 + threadIdx.x % 32] = line[(threadIdx.x + 32) % 128];
    }
    leave();
}

void run(const float *in, float *out)
{
    blend<<<1, 128>>>(in, out, 14);
}
