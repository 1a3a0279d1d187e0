// CUB's primitives called by the number of elements of each thread, as in Sum<4>(values): the same
// storage serves the next round at once.
#include <cub/block/block_reduce.cuh>
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

void run(const float *in, float *out, int tiles)
{
    rows<256, 4><<<1, 256>>>(in, out, tiles);
}
