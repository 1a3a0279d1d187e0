// Each round reads the neighbours' values, wherever these are, and makes the new ones in their place.
__global__ void relax(const int *first, const int *neighbour, const float *weight, float *value,
                      int rounds)
{
    extern __shared__ float row[];
    const int me = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = value[me];
    row[threadIdx.x] = sum;
    for (int round = 0; round < rounds; ++round) {
        __syncthreads();
        float next = 0;
        for (int i = first[me]; i < first[me + 1]; ++i)
            next += weight[i] * row[neighbour[i]];
        row[threadIdx.x] = next; // expect: sync-missing
        sum += next;
    }
    value[me] = sum;
}

void run(const int *first, const int *neighbour, const float *weight, float *value, int blocks)
{
    relax<<<blocks, 256, 256 * sizeof(float)>>>(first, neighbour, weight, value, 8);
}
