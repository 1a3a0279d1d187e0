// The loop ends by what a helper returns. The helper counts with atomics, but what it returns does
// not come from these: nobody waits for another here, and the storage of the sum is used again at
// once.
__device__ float block_sum(float value, float *partial)
{
    for (int offset = 16; offset; offset /= 2)
        value += __shfl_down_sync(0xffffffffu, value, offset);
    if (threadIdx.x % 32 == 0)
        partial[threadIdx.x / 32] = value; // expect: sync-missing
    __syncthreads();
    float sum = 0;
    for (unsigned w = 0; w < blockDim.x / 32; ++w)
        sum += partial[w];
    return sum;
}

__device__ bool count_and_look(const float *row, int *bins, float limit)
{
    __shared__ float partial[8];
    float value = row[threadIdx.x];
    atomicAdd(&bins[value > limit], 1);
    float sum = block_sum(value, partial);
    float squares = block_sum(value * value, partial);
    return squares < sum * limit;
}

__global__ void rows_until_one_is_flat(const float *rows, int *counts, float limit, int most)
{
    __shared__ int bins[2];
    if (threadIdx.x < 2)
        bins[threadIdx.x] = 0;
    __syncthreads();
    for (int row = 0; row < most; ++row) {
        if (count_and_look(rows + row * 256, bins, limit))
            break;
        __syncthreads();
    }
    __syncthreads();
    if (threadIdx.x < 2)
        counts[threadIdx.x] = bins[threadIdx.x];
}

void find(const float *rows, int *counts, float limit, int most)
{
    rows_until_one_is_flat<<<1, 256>>>(rows, counts, limit, most);
}
