// As many rows as the tile has, or as are left in the last one: that need not fill a warp.
constexpr int kTile = 32, kLanesPerRow = 4;

__global__ void __launch_bounds__(kTile *kLanesPerRow)
    row_sums(const float *__restrict__ in, float *__restrict__ out, int rows)
{
    const int first = blockIdx.x * kTile;
    const int here = min(kTile, rows - first);
    const int row = threadIdx.x / kLanesPerRow;
    if (row < here) {
        float sum = in[first * kLanesPerRow + threadIdx.x];
        for (int by = kLanesPerRow / 2; by > 0; by /= 2)
            sum += __shfl_xor_sync(0xffffffff, sum, by, kLanesPerRow); // expect: warp-mask-agree
        if (threadIdx.x % kLanesPerRow == 0)
            out[first + row] = sum;
    }
}

void run(const float *in, float *out, int rows)
{
    row_sums<<<(rows + kTile - 1) / kTile, kTile * kLanesPerRow>>>(in, out, rows);
}
