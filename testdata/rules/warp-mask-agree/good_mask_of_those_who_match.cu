// Another vote, among the lanes that have a row, names those that go on into the branch.
#include <cuda_runtime.h>

__device__ int reserve(unsigned mask, int *total, int wanted)
{
    int base = 0;
    if (threadIdx.x % 32 == __ffs(mask) - 1)
        base = atomicAdd(total, wanted);
    return __shfl_sync(mask, base, __ffs(mask) - 1);
}

__global__ void __launch_bounds__(128) match(const int *__restrict__ left,
                                             const int *__restrict__ right, int rows, int keys,
                                             int *total, int *out)
{
    const int row = blockIdx.x * 128 + threadIdx.x;
    const unsigned with_row = __ballot_sync(0xffffffffu, row < rows);
    if (row < rows) {
        for (int key = 0; key < keys; ++key) {
            const bool matches = left[row] == right[key];
            const unsigned those = __ballot_sync(with_row, matches);
            if (matches)
                out[reserve(those, total, 1)] = row;
            __syncwarp(with_row);
        }
    }
}

void run(const int *left, const int *right, int rows, int keys, int *total, int *out)
{
    match<<<(rows + 127) / 128, 128>>>(left, right, rows, keys, total, out);
}
