// arch: sm_80
// The library has a way for every target.
#include <cuda/barrier>
#include <utility>

__global__ void reverse(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float line[128];
    __shared__ cuda::barrier<cuda::thread_scope_block> stored;
    if (threadIdx.x == 0)
        init(&stored, 128);
    __syncthreads();
    line[threadIdx.x] = in[threadIdx.x];
    auto token = stored.arrive(1);
    const float old = out[threadIdx.x];
    stored.wait(std::move(token));
    out[threadIdx.x] = old + line[127 - threadIdx.x];
}

void run(const float *in, float *out)
{
    reverse<<<1, 128>>>(in, out);
}
