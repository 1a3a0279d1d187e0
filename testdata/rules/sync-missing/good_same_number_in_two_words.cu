// Two warps store the same number to the flag, one as a quotient.
__global__ void mark(const float *in, float *out)
{
    __shared__ float weight;
    if (threadIdx.x == 0)
        weight = 1.0f / 2.0f;
    if (threadIdx.x == 32)
        weight = 0.5f;
    __syncthreads();
    out[threadIdx.x] = weight * in[threadIdx.x];
}

void launch(const float *in, float *out)
{
    mark<<<1, 64>>>(in, out);
}
