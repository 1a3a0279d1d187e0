// A scan up and down a tree: with the power of two that the host passes both loops have as many
// rounds. With another number the last step would be none, and all would store in front of the
// array.
#include <cuda_runtime.h>

__global__ void offsets(const int *count, int *first, int n, int size)
{
    extern __shared__ int memory[];
    int *sums = memory + n;
    int i = threadIdx.x, step = 1;
    if (i < size)
        sums[i] = i < n ? count[i] : 0;
    __syncthreads();
    for (int half = size >> 1; half > 0; half >>= 1) {
        if (i < half)
            sums[step * (2 * i + 2) - 1] += sums[step * (2 * i + 1) - 1];
        step <<= 1;
        __syncthreads();
    }
    if (i == 0)
        sums[size - 1] = 0;
    __syncthreads();
    for (int pairs = 1; pairs < size; pairs <<= 1) {
        step >>= 1;
        if (i < pairs) {
            int left = step * (2 * i + 1) - 1, right = step * (2 * i + 2) - 1;
            int before = sums[left];
            sums[left] = sums[right];
            sums[right] += before;
        }
        __syncthreads();
    }
    if (i < n)
        first[i] = sums[i];
}

void launch(const int *count, int *first, int n)
{
    int size = 1;
    while (size < n)
        size *= 2;
    offsets<<<1, 1024, (n + size) * sizeof(int)>>>(count, first, n, size);
}
