// The lanes are kept in a record, beside the one that speaks for them.
#include <cuda_runtime.h>

struct Crew {
    int speaker;
    unsigned lanes;

    __device__ static Crew here()
    {
        const unsigned lanes = __activemask();
        return {__ffs(lanes) - 1, lanes};
    }
    __device__ float spoken(float value) const
    {
        return __shfl_sync(lanes, value, speaker);
    }
};

__global__ void above(const float *in, float *out, float bound)
{
    const float value = in[threadIdx.x];
    if (value > bound) {
        const Crew crew = Crew::here();
        out[threadIdx.x] = value - crew.spoken(value); // expect: warp-activemask
    }
}

void run(const float *in, float *out, float bound)
{
    above<<<1, 128>>>(in, out, bound);
}
