// The host doubles the block from one thread until there is one for each column. A sum
// that all read at its first word is followed by the next one when all have.
__device__ float total(float value, float *scratch)
{
    scratch[threadIdx.x] = value;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            scratch[threadIdx.x] += scratch[threadIdx.x + half];
        __syncthreads();
    }
    const float sum = scratch[0];
    __syncthreads();
    return sum;
}

__global__ void normalise(float *rows, int columns)
{
    extern __shared__ float scratch[];
    float *row = rows + (size_t)blockIdx.x * columns;
    const bool inside = (int)threadIdx.x < columns;
    const float x = inside ? row[threadIdx.x] : 0.0f;
    const float mean = total(x, scratch) / columns;
    const float spread = total(inside ? (x - mean) * (x - mean) : 0.0f, scratch) / columns;
    if (inside)
        row[threadIdx.x] = (x - mean) * rsqrtf(spread + 1e-5f);
}

void run(float *rows, int count, int columns)
{
    int threads = 1;
    while (threads < columns)
        threads *= 2;
    normalise<<<count, threads, threads * sizeof(float)>>>(rows, columns);
}
