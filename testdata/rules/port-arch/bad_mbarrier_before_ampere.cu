// arch: sm_75

// An mbarrier for a target that has none.
__global__ void reverse(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float line[128];
    __shared__ unsigned long long stored;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 128;" // expect: port-arch
                     ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(&stored)))
                     : "memory");
    __syncthreads();
    line[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = line[127 - threadIdx.x];
}

void run(const float *in, float *out)
{
    reverse<<<1, 128>>>(in, out);
}
