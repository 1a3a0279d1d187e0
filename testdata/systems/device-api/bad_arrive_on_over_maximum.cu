// The copies' arrival raises the count above the maximum.
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>

__global__ void load(const float *in, float *out)
{
    __shared__ __mbarrier_t loaded;
    __shared__ float tile[128];
    if (threadIdx.x == 0)
        __mbarrier_init(&loaded, __mbarrier_maximum_count());
    __syncthreads();
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
    __pipeline_arrive_on(&loaded); // expect: init-count-range
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = tile[threadIdx.x];
}

void launch(const float *in, float *out)
{
    load<<<1, 128>>>(in, out);
}
