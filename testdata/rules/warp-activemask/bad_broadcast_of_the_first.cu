// The first lane of the branch is meant; it is the first of those that are together.
__global__ void first(const int *__restrict__ in, int *__restrict__ out)
{
    const int value = in[threadIdx.x];
    if (value > 0) {
        const unsigned mask = __activemask();
        out[threadIdx.x] = __shfl_sync(mask, value, __ffs(mask) - 1); // expect: warp-activemask
    }
}

void run(const int *in, int *out)
{
    first<<<4, 64>>>(in, out);
}
