// With more than one result a row, warps store those of the next row while the last are read.
#include <cuda_runtime.h>

template <int Results>
__global__ void some_of_rows(const float *in, float *out, int rows, int results)
{
    __shared__ float best[8 * Results];
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        float value = in[row * 256 + threadIdx.x];
        for (int step = 16; step > 0; step /= 2)
            value = fminf(value, __shfl_xor_sync(0xffffffff, value, step));
        if (threadIdx.x % 32 == 0)
            best[threadIdx.x / 32] = value; // expect: sync-missing
        __syncthreads();
        if (threadIdx.x == 0) {
            for (int i = 1; i < 8; ++i)
                best[0] = fminf(best[0], best[i]);
        }
        __syncthreads();
        for (int i = threadIdx.x; i < results; i += blockDim.x)
            out[row * results + i] = best[i];
    }
}

void some(const float *in, float *out, int rows, int results)
{
    some_of_rows<4><<<64, 256>>>(in, out, rows, results);
}
