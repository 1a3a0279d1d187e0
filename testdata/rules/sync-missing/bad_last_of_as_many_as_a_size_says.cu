// One thread takes what another warp has stored, at a place that a size says: the last one of a
// sum of all before it, the middle one of a table that is searched. The table may lie behind an
// array of which nobody knows the size here, either.
#include <cuda_runtime.h>

__global__ void total(const int *count, int *all, int n)
{
    __shared__ int sums[256];
    int sum = 0;
    for (int i = 0; i <= threadIdx.x; ++i)
        sum += i < n ? count[i] : 0;
    sums[threadIdx.x] = sum;
    if (threadIdx.x == 0)
        *all = sums[n - 1]; // expect: sync-missing
}

__global__ void place(const int *begin, const int *wanted, int *found, int rows)
{
    extern __shared__ int memory[];
    int *table = memory + rows;
    if (threadIdx.x < rows)
        table[threadIdx.x] = begin[threadIdx.x];
    int left = 0, right = rows;
    while (left < right) {
        int middle = (left + right) / 2;
        if (table[middle] <= wanted[threadIdx.x]) // expect: sync-missing
            left = middle + 1;
        else
            right = middle;
    }
    found[threadIdx.x] = left;
}

__global__ void step_by_step(const float *in, float *out, int n, int steps)
{
    __shared__ float row[128];
    for (int i = 0; i < steps; ++i) {
        row[threadIdx.x] = in[i * 128 + threadIdx.x]; // expect: sync-missing
        __syncthreads();
        if (threadIdx.x == 0)
            out[i] = row[n - 1];
    }
}

void launch(const int *count, int *all, const float *in, float *out, int n, int steps)
{
    total<<<1, 256>>>(count, all, n);
    place<<<1, 256, 2 * n * sizeof(int)>>>(count, count + 256, all + 1, n);
    step_by_step<<<1, 128>>>(in, out, n, steps);
}
