// The weight of a row is read once, then a long row is gone through element by element: the read is
// not forgotten over those of the row.
__global__ void weighted(const float *in, const float *weights, float *out, int rows)
{
    __shared__ float row[64][128];
    __shared__ float weight;
    for (int r = 0; r < rows; ++r) {
        if (threadIdx.x == 0)
            weight = weights[r]; // expect: sync-missing
        for (int i = 0; i < 64; ++i)
            row[i][threadIdx.x] = in[(r * 64 + i) * 128 + threadIdx.x];
        __syncthreads();
        const float by = weight;
        float sum = 0;
        for (int i = 0; i < 64; ++i)
            sum += row[i][threadIdx.x] * by;
        out[r * 128 + threadIdx.x] = sum;
    }
}

void run(const float *in, const float *weights, float *out, int rows)
{
    weighted<<<1, 128>>>(in, weights, out, rows);
}
