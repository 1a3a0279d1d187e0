// The counter is read by adding nothing.
__device__ int flags[2];

__global__ void two_passes(const float *__restrict__ in, float *__restrict__ sums,
                           float *__restrict__ out)
{
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = in[at];
        __threadfence();
        atomicAdd(&flags[0], 1);
        int seen;
        do {
            seen = atomicAdd(&flags[0], 0);
        } while (seen != (int)gridDim.x); // expect: grid-handmade
    }
    __syncthreads();
    out[at] = in[at] + sums[gridDim.x - 1 - blockIdx.x];
}

void run(const float *in, float *sums, float *out)
{
    two_passes<<<dim3(2048), dim3(128)>>>(in, sums, out);
}
