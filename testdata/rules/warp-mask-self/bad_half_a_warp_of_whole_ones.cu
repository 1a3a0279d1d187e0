// How large the block is, the caller says; the first step names all lanes of a warp, the others name
// half of them, and all lanes come there.
__device__ float sum_of_warp(float value)
{
    value += __shfl_down_sync(0xffffffffu, value, 16);
    for (int step = 8; step > 0; step /= 2)
        value += __shfl_down_sync(0xffffu, value, step); // expect: warp-mask-self
    return value;
}

__global__ void sums(const float *__restrict__ in, float *__restrict__ out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float sum = sum_of_warp(in[i]);
    if (threadIdx.x % 32 == 0)
        out[i / 32] = sum;
}

void run(const float *in, float *out, int blocks, int threads)
{
    sums<<<blocks, threads>>>(in, out);
}
