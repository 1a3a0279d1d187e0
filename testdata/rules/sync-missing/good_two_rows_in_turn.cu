// Each round reads the neighbours' values of one row, wherever these are, and makes the other row.
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
            next += weight[i] * row[neighbour[i] + blockDim.x * (round % 2)];
        row[threadIdx.x + blockDim.x * ((round + 1) % 2)] = next;
        sum += next;
    }
    value[me] = sum;
}

void run(const int *first, const int *neighbour, const float *weight, float *value, int blocks)
{
    relax<<<blocks, 256, 2 * 256 * sizeof(float)>>>(first, neighbour, weight, value, 8);
}
