// A warp works on one group of columns of a row, if there is such a row: its lanes all come or none
// does, and wait for each other before each step.
template <int Threads>
__global__ void sums_of_rows(const float *__restrict__ in, float *__restrict__ out, int rows,
                             int groups)
{
    __shared__ float part[Threads];
    int warp = (blockIdx.x * Threads + threadIdx.x) / 32, lane = threadIdx.x % 32;
    int row = warp / groups, group = warp % groups;
    if (row >= rows)
        return;
    part[threadIdx.x] = in[(row * groups + group) * 32 + lane];
    __syncwarp();
    if (lane < 16)
        part[threadIdx.x] += part[threadIdx.x + 16];
    __syncwarp();
    if (lane < 8)
        part[threadIdx.x] += part[threadIdx.x + 8];
    __syncwarp();
    if (lane == 0) {
        float sum = 0;
        for (int i = 0; i < 8; ++i)
            sum += part[threadIdx.x + i];
        out[row * groups + group] = sum;
    }
}

void run(const float *in, float *out, int rows, int groups)
{
    sums_of_rows<128><<<(rows * groups * 32 + 127) / 128, 128>>>(in, out, rows, groups);
}
