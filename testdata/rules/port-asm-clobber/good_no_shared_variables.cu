// The registers' own synchronisation: no memory is handed over.
__global__ void pace(const float *__restrict__ in, float *__restrict__ out)
{
    float value = in[threadIdx.x];
    asm volatile("bar.sync 1, 128;");
    value *= 2.0f;
    asm volatile("bar.warp.sync 0xffffffff;");
    out[threadIdx.x] = value;
}

void run(const float *in, float *out)
{
    pace<<<1, 128>>>(in, out);
}
