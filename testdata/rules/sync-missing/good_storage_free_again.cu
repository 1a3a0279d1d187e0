// A barrier between the rounds, and one storage for each of two primitives.
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

template <int Threads>
__global__ void __launch_bounds__(Threads) sums(const int *in, int *out, int rounds)
{
    using Reduce = cub::BlockReduce<int, Threads>;
    using Scan = cub::BlockScan<int, Threads>;
    __shared__ struct {
        typename Reduce::TempStorage reduce;
        typename Scan::TempStorage scan;
    } storage;
    int sum = 0;
    for (int round = 0; round < rounds; ++round) {
        int value = in[round * Threads + threadIdx.x];
        sum += Reduce(storage.reduce).Sum(value);
        Scan(storage.scan).ExclusiveSum(value, value);
        out[round * Threads + threadIdx.x] = value;
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[rounds * Threads] = sum;
}

void run(const int *in, int *out, int rounds)
{
    sums<128><<<1, 128>>>(in, out, rounds);
}
