// Thread 0 says that nothing has been found, and whoever finds it says where: the first value may
// come last.
__device__ int find(const int *ids, int count, int wanted)
{
    __shared__ int at;
    if (threadIdx.x == 0)
        at = -1;
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        if (ids[i] == wanted)
            at = i; // expect: sync-missing
    __syncthreads();
    return at;
}

__global__ void pick(const int *ids, const float *in, float *out, int count, int wanted)
{
    const int at = find(ids, count, wanted);
    if (at >= 0)
        out[threadIdx.x] = in[at * 256 + threadIdx.x];
}

__global__ void any_negative(const float *in, int *out, int count)
{
    __shared__ bool negative;
    if (threadIdx.x == 0)
        negative = false;
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        if (in[i] < 0)
            negative = true; // expect: sync-missing
    __syncthreads();
    if (threadIdx.x == 0)
        *out = negative;
}

void run(const int *ids, const float *in, float *out, int *found, int count, int wanted)
{
    pick<<<1, 256>>>(ids, in, out, count, wanted);
    any_negative<<<1, 256>>>(in, found, count);
}
