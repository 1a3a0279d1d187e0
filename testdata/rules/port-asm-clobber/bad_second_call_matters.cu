// The first call of the wrapper has no access beside it, the second has.
__device__ __forceinline__ void meet(int id)
{
    asm volatile("bar.sync %0, 128;" ::"r"(id)); // expect: port-asm-clobber
}

__global__ void reverse(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float line[128];
    meet(1);
    __syncthreads();
    line[threadIdx.x] = in[threadIdx.x];
    meet(2);
    out[threadIdx.x] = line[127 - threadIdx.x];
}

void run(const float *in, float *out)
{
    reverse<<<1, 128>>>(in, out);
}
