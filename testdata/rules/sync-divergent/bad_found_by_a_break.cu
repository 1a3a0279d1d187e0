// The search ends at the first hit, and only threads that have one meet.
#include <cuda_runtime.h>

__device__ bool is_listed(const int *list, int n, int value)
{
    for (int i = 0; i < n; ++i)
        if (list[i] == value)
            return true;
    return false;
}

__global__ void __launch_bounds__(128) matches(const int *list, int n, const int *value, int *out)
{
    __shared__ int kept[128];
    const int own = value[blockIdx.x * 128 + threadIdx.x];
    kept[threadIdx.x] = own;
    int first = -1, tail = -1;
    for (int i = 0; i < n; ++i) {
        if (list[i] > own) {
            first = i;
            break;
        }
    }
    if (first >= 0)
        __syncthreads(); // expect: sync-divergent
    int k = 0;
    do {
        if (list[n + k] < own) {
            tail = k;
            break;
        }
    } while (++k < n);
    if (tail >= 0)
        __syncthreads(); // expect: sync-divergent
    if (is_listed(list, n, own))
        __syncthreads(); // expect: sync-divergent
    out[blockIdx.x * 128 + threadIdx.x] = kept[threadIdx.x] + first + tail;
}

void launch(const int *list, int n, const int *value, int *out)
{
    matches<<<4, 128>>>(list, n, value, out);
}
