// Every form of a suppression that silences nothing.
#include <cuda_runtime.h>

__global__ void copy(const float *in, float *out)
{
    __syncthreads(); // barlint-ignore[named-id-range]: outlived // expect: unused-suppression
    __syncthreads(); // NOLINT(barlint-init-placement, bugprone-x) expect: unused-suppression
    // barlint-ignore[named-id-rang]: mistyped // expect: unused-suppression
    __syncthreads();
    // barlint-ignore: everything // expect: unused-suppression
    __syncthreads();
    // barlint-ignore-begin[named-id-range]: never closed // expect: unused-suppression
    out[threadIdx.x] = in[threadIdx.x];
}

void run(const float *in, float *out)
{
    copy<<<1, 128>>>(in, out);
}
