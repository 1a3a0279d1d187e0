// pedantic: no thread leaves
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void smooth(float *data, int n)
{
    __shared__ float line[256];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        line[threadIdx.x] = data[i];
    cg::this_thread_block().sync();
    if (i < n)
        data[i] = 0.5f * (line[threadIdx.x] + line[threadIdx.x > 0 ? threadIdx.x - 1 : 0]);
}

void run(float *data, int n)
{
    smooth<<<(n + 255) / 256, 256>>>(data, n);
}
