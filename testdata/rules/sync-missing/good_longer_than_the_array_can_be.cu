// Columns of a matrix lie MOST words apart, and no caller asks for longer ones: a size with which
// they would run into each other, or behind the array, says nothing about who reads there.
#include <cuda_runtime.h>

constexpr int MOST = 14;

__global__ void contract(const float *basis, const float *field, float *result, int points,
                         int nodes)
{
    __shared__ float half_way[MOST * MOST];
    for (int part = 0; part < 2; ++part) {
        for (int q = threadIdx.x; q < points; q += blockDim.x)
            for (int n = threadIdx.y; n < nodes; n += blockDim.y) {
                half_way[q + MOST * n] = 0;
                for (int k = 0; k < points; ++k)
                    half_way[q + MOST * n] +=
                        basis[k + points * n] * field[(part * points + k) * points + q];
            }
        __syncthreads();
        for (int n = threadIdx.y; n < nodes; n += blockDim.y)
            for (int m = threadIdx.x; m < nodes; m += blockDim.x) {
                float sum = 0;
                for (int q = 0; q < points; ++q)
                    sum += basis[q + points * m] * half_way[q + MOST * n];
                result[((blockIdx.x * 2 + part) * nodes + n) * nodes + m] = sum;
            }
        __syncthreads();
    }
}

void run(const float *basis, const float *field, float *result, int elements, int points, int nodes)
{
    contract<<<elements, dim3(points, points)>>>(basis, field, result, points, nodes);
}
