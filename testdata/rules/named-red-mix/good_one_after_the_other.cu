// A vote and a plain barrier take turns: no generation has both.
#include <cuda_runtime.h>

__global__ void bubble(int *data, int rounds)
{
    __shared__ int line[128];
    line[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    for (int r = 0; r < rounds; ++r) {
        const int at = 2 * (threadIdx.x / 2) + (r & 1);
        bool swaps = false;
        if (threadIdx.x % 2 == 0 && at + 1 < 128 && line[at] > line[at + 1]) {
            const int value = line[at];
            line[at] = line[at + 1];
            line[at + 1] = value;
            swaps = true;
        }
        if (!__syncthreads_or(swaps) && r > 0)
            break;
        __syncthreads();
    }
    data[threadIdx.x] = line[threadIdx.x];
}

void run(int *data)
{
    bubble<<<1, 128>>>(data, 128);
}
