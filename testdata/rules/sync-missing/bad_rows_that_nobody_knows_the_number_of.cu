// The rows of the block are one warp each, and how many there are the program learns from the
// device: each reads what the others have stored.
int rows_of_device();

__global__ void sums_of_columns(const float *in, float *out, int columns)
{
    __shared__ float part[32][32];
    int at = (blockIdx.x * blockDim.y + threadIdx.y) * columns + threadIdx.x;
    part[threadIdx.y][threadIdx.x] = in[at];
    float sum = 0;
    for (int row = 0; row < blockDim.y; ++row)
        sum += part[row][threadIdx.x]; // expect: sync-missing
    __syncthreads();
    out[at] = sum;
}

void sum_columns(const float *in, float *out, int columns, int blocks)
{
    dim3 block(32, rows_of_device());
    sums_of_columns<<<blocks, block>>>(in, out, columns);
}
