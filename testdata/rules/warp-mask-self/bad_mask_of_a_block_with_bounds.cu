// No launch is to be seen; the bounds say how many threads the kernel is made for.
__global__ void __launch_bounds__(256) roles(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float tile[128];
    const int warp = __shfl_sync(0x0000ffffu, threadIdx.x / 32, 0); // expect: warp-mask-self
    if (warp < 4)
        tile[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    __syncthreads();
    if (warp >= 4)
        out[blockIdx.x * 128 + threadIdx.x - 128] = tile[255 - threadIdx.x];
}

const void *kernel()
{
    return reinterpret_cast<const void *>(&roles);
}
