// One lane alone comes to the barrier, also if the block is a single warp.
__global__ void largest(const float *in, float *out)
{
    __shared__ float best;
    float mine = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int step = 16; step > 0; step /= 2)
        mine = fmaxf(mine, __shfl_xor_sync(~0u, mine, step));
    if (threadIdx.x == 0) {
        best = mine;
        __syncthreads(); // expect: sync-divergent
    }
    out[threadIdx.x] = best;
}
