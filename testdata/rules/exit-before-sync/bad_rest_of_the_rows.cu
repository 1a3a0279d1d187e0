// A reduction over the block, which the threads behind the end of the row have left.
#include <cub/block/block_reduce.cuh>

template <int Threads>
__device__ float block_max(float value)
{
    using Reduce = cub::BlockReduce<float, Threads>;
    __shared__ typename Reduce::TempStorage storage;
    return Reduce(storage).Sum(value);
}

template <int Threads>
__global__ void __launch_bounds__(Threads) totals(const float *in, float *out, int n)
{
    const int i = blockIdx.x * Threads + threadIdx.x;
    if (i >= n)
        return;
    const float total = block_max<Threads>(in[i]); // expect: exit-before-sync
    if (threadIdx.x == 0)
        out[blockIdx.x] = total;
}

void run(const float *in, float *out, int n)
{
    totals<128><<<(n + 127) / 128, 128>>>(in, out, n);
}
