// The number of items is the number of arrivals, and this launch gives the thread none.
#include <cuda/barrier>
#include <utility>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

template <int Items>
__global__ void publish(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ block_barrier ready;
    __shared__ float line[64];
    if (threadIdx.x == 0)
        init(&ready, 64);
    __syncthreads();
    const int mine = Items / 128; // 0
    line[threadIdx.x] = in[threadIdx.x];
    auto token = ready.arrive(mine); // expect: arrive-over
    ready.wait(std::move(token));
    out[threadIdx.x] = line[63 - threadIdx.x];
}

void run(const float *in, float *out)
{
    publish<64><<<1, 64>>>(in, out);
}
