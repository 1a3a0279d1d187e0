// The same barrier at the end of both arms: one behind them.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void split(float *data)
{
    __shared__ float tile[128];
    if (threadIdx.x % 2 == 0) {
        tile[threadIdx.x] = data[threadIdx.x];
        __syncthreads(); // the even ones
    } else {
        tile[threadIdx.x] = -data[threadIdx.x];
        __syncthreads();
    }
    data[threadIdx.x] = tile[127 - threadIdx.x];
}

__global__ void one_line_each(float *data)
{
    __shared__ float tile[128];
    if (threadIdx.x % 2 == 0) { tile[threadIdx.x] = data[threadIdx.x]; __syncthreads(); }
    else { tile[threadIdx.x] = -data[threadIdx.x]; __syncthreads(); }
    data[threadIdx.x] = tile[127 - threadIdx.x];
}

void launch(float *data)
{
    split<<<1, 128>>>(data);
    one_line_each<<<1, 128>>>(data);
}
