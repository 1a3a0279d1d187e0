// Each warp goes on as long as one of its lanes has work: warps beyond the last row leave the loop
// while others come to the barrier in it. So do warps that have one row each of a batch.
#include <cuda_runtime.h>

__global__ void count_rows(const int *__restrict__ in, int *__restrict__ out, int n)
{
    for (int i = threadIdx.x; __any_sync(0xffffffffu, i < n); i += blockDim.x) {
        const int value = i < n ? in[i] : 0;
        const int found = __syncthreads_count(value > 0); // expect: sync-divergent-loop
        if (i < n)
            out[i] = found;
    }
}

__global__ void rows_of_a_batch(const float *__restrict__ in, float *__restrict__ out, int batch,
                                int rows)
{
    __shared__ float part[128];
    for (int row = blockIdx.x * 4 + threadIdx.x / 32; row < batch * rows; row += gridDim.x * 4) {
        part[threadIdx.x] = in[row * 32 + threadIdx.x % 32];
        __syncthreads(); // expect: sync-divergent-loop
        out[row * 32 + threadIdx.x % 32] = part[threadIdx.x ^ 1];
    }
}

void run(const int *in, int *out, const float *from, float *to, int n, int batch, int rows)
{
    count_rows<<<1, 128>>>(in, out, n);
    rows_of_a_batch<<<32, 128>>>(from, to, batch, rows);
}
