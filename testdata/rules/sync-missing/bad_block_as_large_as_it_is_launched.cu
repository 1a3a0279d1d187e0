// How large the block is, the caller says; the first step adds what another half of it has stored.
__global__ void sums(const float *__restrict__ in, float *__restrict__ out, int n)
{
    extern __shared__ float part[];
    const unsigned int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    part[t] = i < n ? in[i] : 0.0f;
    for (unsigned int step = blockDim.x / 2; step > 0; step /= 2) {
        if (t < step)
            part[t] += part[t + step]; // expect: sync-missing
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}

void run(const float *in, float *out, int n, int threads)
{
    sums<<<(n + threads - 1) / threads, threads, threads * sizeof(float)>>>(in, out, n);
}
