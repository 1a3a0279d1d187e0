// The limits of all columns lie in shared memory; which column a value is of, the number of rows
// says, which nobody knows here. The launch passes another argument as a constant.
__global__ void mark(const float *values, const float *limits, bool *above, int rows, int columns,
                     int skip)
{
    extern __shared__ float limit[];
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        limit[i] = limits[i];
    for (int i = blockIdx.x * blockDim.x + threadIdx.x + skip; i < rows * columns;
         i += gridDim.x * blockDim.x)
        above[i] = values[i] > limit[i / rows]; // expect: sync-missing
}

void run(const float *values, const float *limits, bool *above, int rows, int columns)
{
    const int blocks = (rows * columns + 127) / 128;
    mark<<<blocks, 128, columns * sizeof(float)>>>(values, limits, above, rows, columns, 0);
}
