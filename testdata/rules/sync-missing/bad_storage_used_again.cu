// The storage of the reduction is used again in the next round while the first thread still reads.
#include <cub/block/block_reduce.cuh>

template <int Threads>
__global__ void __launch_bounds__(Threads) sums(const float *in, float *out, int rounds)
{
    using Reduce = cub::BlockReduce<float, Threads>;
    __shared__ typename Reduce::TempStorage storage;
    float sum = 0.0f;
    for (int round = 0; round < rounds; ++round)
        sum += Reduce(storage).Sum(in[round * Threads + threadIdx.x]); // expect: sync-missing
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

void run(const float *in, float *out, int rounds)
{
    sums<128><<<1, 128>>>(in, out, rounds);
}
