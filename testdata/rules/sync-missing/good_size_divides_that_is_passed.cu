// Each warp keeps the limits of its own column: a column has as many rows as a warp has lanes, which
// the launch passes.
__global__ void mark(const float *values, const float *limits, bool *above, int rows, int columns)
{
    __shared__ float limit[4];
    const int column = threadIdx.x / rows;
    if (threadIdx.x % rows == 0)
        limit[column] = limits[(blockIdx.x * 4 + column) % columns];
    __syncwarp();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    above[i] = values[i] > limit[column];
}

void run(const float *values, const float *limits, bool *above, int columns)
{
    mark<<<(columns + 3) / 4, 128>>>(values, limits, above, 32, columns);
}
