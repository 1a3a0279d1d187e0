// The blocks up to the last one have all the work there is, of which the sources say how much.
constexpr int items = 100000, threads = 256;

__global__ void sums(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float part[threads];
    const int t = threadIdx.x, i = blockIdx.x * threads + t;
    part[t] = 0.0f;
    if (i < items)
        part[t] = in[i] * in[i];
    for (int step = threads / 2; step > 0; step /= 2) {
        if (t < step)
            part[t] += part[t + step]; // expect: sync-missing
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}

void run(const float *in, float *out)
{
    sums<<<(items + threads - 1) / threads, threads>>>(in, out);
}
