// A function that may do anything is called between.
__device__ void note(float *log, float value)
{
    if (threadIdx.x == 0)
        *log = value;
}

__global__ void reverse(const float *__restrict__ in, float *__restrict__ out, float *log)
{
    __shared__ float line[128];
    line[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    note(log, line[0]);
    __syncthreads();
    out[threadIdx.x] = *log + line[127 - threadIdx.x];
}

void run(const float *in, float *out, float *log)
{
    reverse<<<1, 128>>>(in, out, log);
}
