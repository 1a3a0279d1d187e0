// The table is filled by all warps and read by each of them; who has no row left ends.
constexpr int kRows = 64, kWarps = 8;

__global__ void __launch_bounds__(32 * kWarps)
    scatter(const int *__restrict__ to, const float *__restrict__ in, float *out, int rows)
{
    __shared__ int table[kRows];
    const int first = blockIdx.x * kRows;
    for (int i = threadIdx.y * 32 + threadIdx.x; i < kRows; i += 32 * kWarps)
        table[i] = to[first + i];
    for (int i0 = 0; i0 < kRows; i0 += kWarps) {
        const int i = i0 + threadIdx.y;
        if (first + i >= rows)
            return;
        const int row = table[i]; // expect: sync-missing
        out[row * 32 + threadIdx.x] = in[(first + i) * 32 + threadIdx.x];
    }
}

void run(const int *to, const float *in, float *out, int rows)
{
    scatter<<<(rows + kRows - 1) / kRows, dim3(32, kWarps)>>>(to, in, out, rows);
}
