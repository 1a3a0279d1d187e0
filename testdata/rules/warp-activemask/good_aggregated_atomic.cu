// One lane adds for whoever is there, and hands the place to them.
__device__ int take(int *used)
{
    const unsigned mask = __activemask();
    const int leader = __ffs(mask) - 1, lane = threadIdx.x % 32;
    int base = 0;
    if (lane == leader)
        base = atomicAdd(used, __popc(mask));
    base = __shfl_sync(mask, base, leader);
    return base + __popc(mask & ((1u << lane) - 1));
}

__global__ void append(const int *__restrict__ in, int *__restrict__ out, int *used)
{
    const int value = in[threadIdx.x];
    if (value > 0)
        out[take(used)] = value;
}

void run(const int *in, int *out, int *used)
{
    append<<<4, 64>>>(in, out, used);
}
