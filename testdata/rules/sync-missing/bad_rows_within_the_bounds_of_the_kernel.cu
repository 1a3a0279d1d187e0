// The launch says that the block has 16 rows, the kernel that it has no more than 512 threads: the
// rows are there, however long they are.
int width_of_device();

__global__ void __launch_bounds__(512) sums_of_columns(const float *in, float *out, int columns)
{
    __shared__ float part[16][128];
    int at = (blockIdx.x * 16 + threadIdx.y) * columns + threadIdx.x;
    part[threadIdx.y][threadIdx.x] = in[at];
    float sum = 0;
    for (int row = 0; row < 16; ++row)
        sum += part[row][threadIdx.x]; // expect: sync-missing
    __syncthreads();
    out[at] = sum;
}

void sum_columns(const float *in, float *out, int columns, int blocks)
{
    dim3 block(width_of_device(), 16);
    sums_of_columns<<<blocks, block>>>(in, out, columns);
}
