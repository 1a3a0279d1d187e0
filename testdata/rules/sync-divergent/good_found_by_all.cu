// All threads search for the same value, so all have found it or none.
#include <cuda_runtime.h>

__device__ bool is_listed(const int *list, int n, int value)
{
    for (int i = 0; i < n; ++i)
        if (list[i] == value)
            return true;
    return false;
}

__global__ void __launch_bounds__(128) rows_listed(const int *list, int n, const int *value, int *out)
{
    __shared__ int kept[128];
    const int wanted = value[blockIdx.x];
    int first = -1, rest = 0;
    kept[threadIdx.x] = list[threadIdx.x];
    for (int i = 0; i < n; ++i) {
        if (list[i] > wanted) {
            first = i;
            break;
        }
        rest = i;
    }
    if (first >= 0) {
        __syncthreads();
        rest += kept[127 - threadIdx.x];
        __syncthreads();
    }
    if (is_listed(list, n, wanted)) {
        kept[threadIdx.x] = rest;
        __syncthreads();
        rest = kept[threadIdx.x ^ 1];
    }
    out[blockIdx.x * 128 + threadIdx.x] = rest;
}

void launch(const int *list, int n, const int *value, int *out)
{
    rows_listed<<<4, 128>>>(list, n, value, out);
}
