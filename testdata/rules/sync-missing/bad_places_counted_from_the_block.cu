// A neighbour's number is one of the whole grid: what the block begins with is taken off it to find
// the neighbour in shared memory, which is written anew while others still look there.
__global__ void relax(const int *__restrict__ neighbours, const int *__restrict__ neighbour,
                      const float *__restrict__ in, float *__restrict__ out, int total)
{
    extern __shared__ float value[];
    const int row = blockIdx.x * blockDim.x + threadIdx.x, count = neighbours[row];
    value[threadIdx.x] = in[row];
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < count; ++i)
        sum += value[neighbour[i * total + row] - blockIdx.x * blockDim.x];
    value[threadIdx.x] = sum; // expect: sync-missing
    __syncthreads();
    out[row] = value[threadIdx.x ^ 32];
}

// Rows of a list begin where it says.
__global__ void gather(const int *__restrict__ begin, const int *__restrict__ link,
                       const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float value[256];
    const int first = begin[blockIdx.x];
    value[threadIdx.x] = in[first + threadIdx.x];
    __syncthreads();
    const float other = value[link[first + threadIdx.x] - first];
    value[threadIdx.x] = 2 * other; // expect: sync-missing
    __syncthreads();
    out[first + threadIdx.x] = value[255 - threadIdx.x];
}

void run(const int *count, const int *number, const float *in, float *out, int blocks)
{
    relax<<<blocks, 256, 256 * sizeof(float)>>>(count, number, in, out, 256 * blocks);
    gather<<<blocks, 256>>>(count, number, in, out);
}
