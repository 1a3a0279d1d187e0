// The last block to come does the rest: nobody waits.
__device__ unsigned arrived;

__global__ void sum(const float *__restrict__ in, float *sums, float *__restrict__ out)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = in[blockIdx.x];
        __threadfence();
        last = atomicAdd(&arrived, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        float total = 0.0f;
        for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x)
            total += ((volatile float *)sums)[i];
        out[threadIdx.x] = total;
    }
}

void run(const float *in, float *sums, float *out)
{
    sum<<<4096, 128>>>(in, sums, out);
}
