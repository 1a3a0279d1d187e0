// Every access to the shared variable is volatile: those are not moved across volatile assembly.
__global__ void reverse(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ volatile float line[128];
    line[threadIdx.x] = in[threadIdx.x];
    asm volatile("bar.sync 0;");
    out[threadIdx.x] = line[127 - threadIdx.x];
}

void run(const float *in, float *out)
{
    reverse<<<1, 128>>>(in, out);
}
