// The lower half of each warp names all of it, however many warps a block has.
__global__ void halves(const float *in, float *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    float sum = in[i];
    if (lane < 16)
        sum += __shfl_down_sync(0xffffffffu, sum, 8); // expect: warp-mask-agree
    out[i] = sum;
}

void launch(const float *in, float *out, int blocks, int threads)
{
    halves<<<blocks, threads>>>(in, out);
}
