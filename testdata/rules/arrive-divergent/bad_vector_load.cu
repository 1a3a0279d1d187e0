// A vector that each thread loads for itself decides who arrives.
#include <cuda/barrier>

using ready_t = cuda::barrier<cuda::thread_scope_block>;

__global__ void spans(const int2 *__restrict__ span, int *out)
{
    __shared__ ready_t ready;
    __shared__ int s[64];
    if (threadIdx.x == 0)
        init(&ready, 64);
    __syncthreads();
    const int2 own = __ldg(span + threadIdx.x);
    s[threadIdx.x] = own.x;
    if (own.x < own.y)
        ready.arrive_and_wait(); // expect: arrive-divergent
    out[threadIdx.x] = s[63 - threadIdx.x];
}

struct box {
    float low[2], high[2];
};

__global__ void boxes(const box *__restrict__ boxes, int *out)
{
    __shared__ ready_t ready;
    __shared__ int s[64];
    if (threadIdx.x == 0)
        init(&ready, 64);
    __syncthreads();
    const box own = boxes[threadIdx.x];
    s[threadIdx.x] = own.low[0] > 0.0f;
    if (own.low[1] < own.high[1])
        ready.arrive_and_wait(); // expect: arrive-divergent
    out[threadIdx.x] = s[63 - threadIdx.x];
}

void launch(const int2 *span, const box *box, int *out)
{
    spans<<<1, 64>>>(span, out);
    boxes<<<1, 64>>>(box, out);
}
