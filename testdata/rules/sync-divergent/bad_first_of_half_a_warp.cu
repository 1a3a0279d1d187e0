// The first lane of each half of a warp is asked, so that the halves go different ways.
__global__ void halves(const float *in, float *out)
{
    __shared__ float tile[128];
    int leader = __shfl_sync(0xffffffff, threadIdx.x % 32, 0, 16);
    tile[threadIdx.x] = in[threadIdx.x];
    if (leader == 16)
        __syncthreads(); // expect: sync-divergent
    out[threadIdx.x] = in[threadIdx.x] + leader;
}

void launch(const float *in, float *out)
{
    halves<<<1, 128>>>(in, out);
}
