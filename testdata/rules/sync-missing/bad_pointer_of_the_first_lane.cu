// The first lane allocates for its warp; nothing says that the others wait for it behind the
// branch.
#include <cuda_runtime.h>

__global__ void __launch_bounds__(128) lists(const int *__restrict__ length, int *__restrict__ out)
{
    __shared__ int *memory[4];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int end = length[blockIdx.x * 128 + threadIdx.x];
    for (int step = 1; step < 32; step *= 2) {
        const int before = __shfl_up_sync(0xffffffffu, end, step);
        end += lane >= step ? before : 0;
    }
    const int all = __shfl_sync(0xffffffffu, end, 31);
    if (lane == 0)
        memory[warp] = static_cast<int *>(malloc(all * sizeof(int)));
    int *mine = memory[warp] + end; // expect: sync-missing
    out[blockIdx.x * 128 + threadIdx.x] = mine != nullptr;
    __syncwarp();
    if (lane == 0)
        free(memory[warp]);
}

void run(const int *length, int *out, int blocks)
{
    lists<<<blocks, 128>>>(length, out);
}
