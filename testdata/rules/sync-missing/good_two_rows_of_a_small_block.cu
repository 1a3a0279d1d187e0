// Blocks of 64 threads, which nothing here says: each has a number of its own in either row.
constexpr int row = 64;

__global__ void turn(const float2 *__restrict__ in, float2 *__restrict__ out, float angle)
{
    extern __shared__ float rows[];
    const int t = threadIdx.x;
    const float2 mine = in[blockIdx.x * row + t];
    rows[t] = mine.x * cosf(angle) - mine.y * sinf(angle);
    rows[row + t] = mine.x * sinf(angle) + mine.y * cosf(angle);
    const float length = rsqrtf(rows[t] * rows[t] + rows[row + t] * rows[row + t]);
    __syncthreads();
    out[blockIdx.x * row + t] = make_float2(rows[row - 1 - t] * length, rows[2 * row - 1 - t] * length);
}

void run(const float2 *in, float2 *out, float angle, int blocks, dim3 threads)
{
    turn<<<blocks, threads, 2 * row * sizeof(float)>>>(in, out, angle);
}
