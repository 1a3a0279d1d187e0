// The mask comes from a vote of all lanes before the branch.
__global__ void first(const int *__restrict__ in, int *__restrict__ out)
{
    const int value = in[threadIdx.x];
    const unsigned mask = __ballot_sync(0xffffffffu, value > 0);
    if (value > 0) {
        __syncwarp(mask);
        out[threadIdx.x] = __shfl_sync(mask, value, __ffs(mask) - 1);
        out[threadIdx.x + 64] = __popc(__activemask());
    }
}

void run(const int *in, int *out)
{
    first<<<4, 64>>>(in, out);
}
