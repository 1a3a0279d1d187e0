// Threads start at their own row, and the rows are no multiple of the stride: some run a round
// less.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void normalise(float *data, int rows)
{
    __shared__ float scale[4];
    cg::thread_block block = cg::this_thread_block();
    for (int row = threadIdx.y; row < rows; row += blockDim.y) {
        if (threadIdx.x == 0)
            scale[threadIdx.y] = data[row * 32]; // expect: sync-missing
        cg::sync(block); // expect: sync-divergent-loop
        data[row * 32 + threadIdx.x] /= scale[threadIdx.y];
    }
}

void run(float *data, int rows)
{
    normalise<<<1, dim3(32, 4)>>>(data, rows);
}
