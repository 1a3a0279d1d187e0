// Data decide who reads: its own word, one that its own warp has stored, one behind the flag of a
// barrier, or one of the rows that a size leaves to it.
#include <cuda_runtime.h>

__global__ void pick(const int *__restrict__ in, int *__restrict__ out, int rows)
{
    __shared__ int own[128], of_warp[4], row[128], last;
    __shared__ bool any;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int value = in[blockIdx.x * 128 + threadIdx.x];
    int sum = 0;
    own[threadIdx.x] = value;
    if (value > 0)
        sum += own[threadIdx.x];
    if (lane == 0)
        of_warp[warp] = value;
    __syncwarp();
    if (value > 1)
        sum += of_warp[warp];
    if (threadIdx.x == 0)
        any = false;
    __syncthreads();
    if (value > 100)
        any = true;
    if (threadIdx.x < rows)
        row[threadIdx.x] = value;
    if (threadIdx.x == 0)
        last = rows;
    __syncthreads();
    if (any)
        sum += last;
    if (value > 2 && threadIdx.x + 1 < rows)
        sum += row[threadIdx.x + 1];
    out[blockIdx.x * 128 + threadIdx.x] = sum;
}

void run(const int *in, int *out, int rows)
{
    pick<<<16, 128>>>(in, out, rows);
}
