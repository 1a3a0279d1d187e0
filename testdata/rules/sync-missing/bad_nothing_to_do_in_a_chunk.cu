// The only barriers stand in the loop over a chunk's rows: where the data say that it has none, the
// others read the count before it is cleared.
#include <cuda_runtime.h>

struct chunk {
    int first, rows;
};

__device__ void count_valid(const unsigned *valid, struct chunk chunk, int *count)
{
    if (threadIdx.x == 0)
        *count = 0;
    for (int row = 0; row < chunk.rows; row += 256) {
        __syncthreads();
        const int at = chunk.first + row + threadIdx.x;
        if (row + threadIdx.x < chunk.rows && valid[at / 32] >> at % 32 & 1)
            atomicAdd(count, 1);
        __syncthreads();
    }
}

__global__ void sizes(const unsigned *valid, const struct chunk *chunks, int *out)
{
    __shared__ int count;
    count_valid(valid, chunks[blockIdx.x], &count);
    const int found = count; // expect: sync-missing
    for (int i = threadIdx.x; i < found; i += 256)
        out[blockIdx.x * 4096 + i] = i;
}

void launch(const unsigned *valid, const struct chunk *chunks, int *out, int blocks)
{
    sizes<<<blocks, 256>>>(valid, chunks, out);
}
