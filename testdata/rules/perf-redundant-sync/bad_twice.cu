// pedantic: advice on speed
__global__ void reverse(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float line[128];
    line[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    const int other = 127 - threadIdx.x;
    __syncthreads(); // expect: perf-redundant-sync
    out[threadIdx.x] = line[other];
}

void run(const float *in, float *out)
{
    reverse<<<1, 128>>>(in, out);
}
