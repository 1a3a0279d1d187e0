// A helper that finishes whatever was committed last.
#include <cuda_pipeline.h>

namespace old = nvcuda::experimental;

template <typename T>
__device__ void fetch(T &to, const T &from, old::pipeline &pipe)
{
    old::memcpy_async(to, from, pipe);
    const size_t batch = pipe.commit();
    pipe.wait(batch); // expect: port-removed-api
}

__global__ void reverse(const int4 *__restrict__ in, int *__restrict__ out)
{
    __shared__ int4 tile[64];
    old::pipeline pipe;
    fetch(tile[threadIdx.x], in[threadIdx.x], pipe);
    __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x].x;
}

void run(const int4 *in, int *out)
{
    reverse<<<1, 64>>>(in, out);
}
