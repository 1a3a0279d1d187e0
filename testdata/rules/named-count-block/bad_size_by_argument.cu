// As in good_size_by_argument.cu, but the condition lets the smaller block come to the wide barrier.
__device__ __forceinline__ void group_sync(int id, int threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

__global__ void mirror(const float *in, float *out, int workers)
{
    __shared__ float line[256];
    const int t = threadIdx.x;
    if (t >= workers)
        return;
    line[t] = in[blockIdx.x * workers + t];
    if (workers >= 128)
        group_sync(2, 256); // expect: named-count-block
    else
        group_sync(2, 64);
    out[blockIdx.x * workers + t] = line[workers - 1 - t];
}

void launch(const float *in, float *out, bool narrow)
{
    const int workers = narrow ? 128 : 256;
    mirror<<<16, workers + 32>>>(in, out, workers);
}
