// block.sync() is the form that lanes may reach by different ways.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void butterfly(float *data)
{
    __shared__ float line[64];
    cg::thread_block block = cg::this_thread_block();
    if (threadIdx.x & 1) {
        line[threadIdx.x] = data[threadIdx.x];
        block.sync();
        data[threadIdx.x] += line[threadIdx.x - 1];
    } else {
        line[threadIdx.x] = -data[threadIdx.x];
        block.sync();
        data[threadIdx.x] += line[threadIdx.x + 1];
    }
}

void run(float *data)
{
    butterfly<<<1, 64>>>(data);
}
