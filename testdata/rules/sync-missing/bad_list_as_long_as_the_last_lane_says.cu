// Lanes put what they have found into one list, and the last one tells them how long it is. That
// they have heard of it says nothing of what the others have stored.
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
    for (int i = threadIdx.x; i < end; i += 32)
        out[blockIdx.x * n + i] = list[i]; // expect: sync-missing
    if (threadIdx.x == 0)
        length[blockIdx.x] = end;
}

void launch(const int *in, int *out, int *length, int n, int wanted, int blocks)
{
    compact<<<blocks, 32, n * sizeof(int)>>>(in, out, length, n, wanted);
}
