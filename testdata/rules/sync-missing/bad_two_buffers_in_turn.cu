// Each round fills one row and sums over the other; nobody waits for the row to be full, nor for the
// last reader of the one that is filled again.
constexpr int Width = 256;

__global__ void sum_of_neighbours(const float *samples, float *sums, int rows)
{
    __shared__ float row[2][Width];
    int t = threadIdx.x, filled = 0;
    row[0][t] = samples[t];
    __syncthreads();
    float sum = 0;
    for (int r = 1; r < rows; ++r) {
        row[filled ^ 1][t] = samples[r * Width + t]; // expect: sync-missing
        for (int step = 0; step < 8; ++step)
            sum += row[filled][(t + step * 32) % Width]; // expect: sync-missing
        filled ^= 1;
    }
    sums[t] = sum;
}

void launch_sum_of_neighbours(const float *samples, float *sums, int rows)
{
    sum_of_neighbours<<<1, Width>>>(samples, sums, rows);
}
