// Thread 0 chooses as many columns as there is room for, which the sizes in memory say, and moves
// the range on when all have asked whether there is any left.
__device__ void choose(int &begin, int &end, int columns, const int *sizes, int room)
{
    begin = end;
    for (int taken = 0; end < columns; ++end) {
        taken += sizes[end];
        if (taken > room)
            break;
    }
}

__global__ void add_columns(const float *const *columns, float *sums, const int *sizes, int count,
                            int rows)
{
    __shared__ int begin, end;
    if (threadIdx.x == 0)
        begin = end = 0;
    __syncthreads();
    while (end < count) {
        __syncthreads();
        if (threadIdx.x == 0)
            choose(begin, end, count, sizes, 4096);
        __syncthreads();
        for (int c = begin; c < end; ++c) {
            for (int i = threadIdx.x; i < rows; i += blockDim.x)
                atomicAdd(&sums[c], columns[c][i]);
        }
        __syncthreads();
    }
}

void run(const float *const *columns, float *sums, const int *sizes, int count, int rows)
{
    for (int i = 0; i < count; ++i)
        if (sizes[i] > 4096)
            return;
    add_columns<<<4, 128>>>(columns, sums, sizes, count, rows);
}
