// The mask names all lanes that have a row; those among them whose key matches go alone into the
// branch with the shuffle.
#include <cuda_runtime.h>

__device__ int reserve(unsigned mask, int *total, int wanted)
{
    int base = 0;
    if (threadIdx.x % 32 == 0)
        base = atomicAdd(total, wanted);
    return __shfl_sync(mask, base, 0); // expect: warp-mask-agree
}

__global__ void __launch_bounds__(128) match(const int *__restrict__ left,
                                             const int *__restrict__ right, int rows, int keys,
                                             int *total, int *out)
{
    const int row = blockIdx.x * 128 + threadIdx.x;
    const unsigned with_row = __ballot_sync(0xffffffffu, row < rows);
    if (row < rows) {
        for (int key = 0; key < keys; ++key) {
            if (left[row] == right[key])
                out[reserve(with_row, total, 1)] = row;
        }
    }
}

void run(const int *left, const int *right, int rows, int keys, int *total, int *out)
{
    match<<<(rows + 127) / 128, 128>>>(left, right, rows, keys, total, out);
}
