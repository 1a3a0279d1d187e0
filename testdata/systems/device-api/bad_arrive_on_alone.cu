// The arrival of the copies takes back what it has added: somebody has to arrive as well.
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>

__global__ void load(const int4 *in, int4 *out)
{
    __shared__ int4 tile[128];
    __shared__ __mbarrier_t loaded;
    if (threadIdx.x == 0)
        __mbarrier_init(&loaded, 128);
    __syncthreads();
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 16);
    __pipeline_arrive_on(&loaded); // expect: tx-noinc
    while (!__mbarrier_try_wait_parity(&loaded, false, 1000)) {
    }
    out[threadIdx.x] = tile[127 - threadIdx.x];
}

void launch(const int4 *in, int4 *out)
{
    load<<<1, 128>>>(in, out);
}
