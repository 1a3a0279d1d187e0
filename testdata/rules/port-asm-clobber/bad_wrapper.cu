// A wrapper with a number and a count, without the clobber.
__device__ __forceinline__ void named_sync(int id, int threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads)); // expect: port-asm-clobber
}

__global__ void halves(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float line[128];
    const int half = threadIdx.x / 64;
    line[threadIdx.x] = in[threadIdx.x];
    named_sync(1 + half, 64);
    out[threadIdx.x] = line[threadIdx.x ^ 63];
}

void run(const float *in, float *out)
{
    halves<<<1, 128>>>(in, out);
}
