// As many lanes shuffle as the block has warps; the host launches blocks of 1024 threads.
__global__ void totals(const float *in, float *out)
{
    __shared__ float part[32];
    const int lane = threadIdx.x % 32, warps = blockDim.x / 32;
    float sum = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
    if (lane == 0)
        part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (lane < warps) {
        sum = part[lane];
        for (int step = 16; step > 0; step /= 2)
            sum += __shfl_xor_sync(0xffffffffu, sum, step);
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

void launch(const float *in, float *out, int blocks, int threads)
{
    totals<<<blocks, threads>>>(in, out);
}
