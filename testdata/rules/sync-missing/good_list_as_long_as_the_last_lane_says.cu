// The same with a barrier of the warp between the stores and the list that is read.
#include <cuda_runtime.h>

__global__ void compact(const int *in, int *out, int *length, int n, int wanted)
{
    extern __shared__ int list[];
    int end = 0;
    for (int first = 0; first < n; first += 32) {
        const int i = first + threadIdx.x;
        const int mine = i < n && in[i] == wanted;
        int before = mine;
        for (int offset = 1; offset < 32; offset *= 2) {
            const int other = __shfl_up_sync(0xffffffff, before, offset);
            before += threadIdx.x >= offset ? other : 0;
        }
        if (mine)
            list[end + before - 1] = i;
        end += __shfl_sync(0xffffffff, before, 31);
    }
    __syncwarp();
    for (int i = threadIdx.x; i < end; i += 32)
        out[blockIdx.x * n + i] = list[i];
    if (threadIdx.x == 0)
        length[blockIdx.x] = end;
}

void launch(const int *in, int *out, int *length, int n, int wanted, int blocks)
{
    compact<<<blocks, 32, n * sizeof(int)>>>(in, out, length, n, wanted);
}
