// CUB's primitives called by the number of elements of each thread, as in Sum<4>(values): the same
// storage serves the next round at once.
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cuda_runtime.h>

template <int BLOCK, int VEC> __global__ void rows(const float *in, float *out, int tiles)
{
    using Reduce = cub::BlockReduce<float, BLOCK>;
    __shared__ typename Reduce::TempStorage storage;
    float total = 0;
    for (int tile = 0; tile < tiles; ++tile) {
        float values[VEC];
        for (int i = 0; i < VEC; ++i)
            values[i] = in[(tile * BLOCK + threadIdx.x) * VEC + i];
        total += Reduce(storage).template Sum<VEC>(values); // expect: sync-missing
    }
    if (threadIdx.x == 0)
        *out = total;
}

template <int BLOCK, int VEC> __global__ void offsets(const int *in, int *out, int tiles)
{
    using Scan = cub::BlockScan<int, BLOCK>;
    __shared__ typename Scan::TempStorage storage;
    for (int tile = 0; tile < tiles; ++tile) {
        int values[VEC], before[VEC], all;
        for (int i = 0; i < VEC; ++i)
            values[i] = in[(tile * BLOCK + threadIdx.x) * VEC + i];
        Scan(storage).template ExclusiveSum<VEC>(values, before, all); // expect: sync-missing
        for (int i = 0; i < VEC; ++i)
            out[(tile * BLOCK + threadIdx.x) * VEC + i] = before[i] + all;
    }
}

void run(const float *in, float *out, const int *counts, int *places, int tiles)
{
    rows<256, 4><<<1, 256>>>(in, out, tiles);
    offsets<256, 4><<<1, 256>>>(counts, places, tiles);
}
