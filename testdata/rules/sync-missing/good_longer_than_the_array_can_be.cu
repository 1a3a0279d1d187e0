// Columns of a matrix lie MOST words apart, and no caller asks for longer ones: a size with which a
// thread would store behind the end of the array says nothing about who reads there.
#include <cuda_runtime.h>

constexpr int MOST = 14;

struct columns {
    float *word;
    __device__ float &operator()(int row, int column) const { return word[row + MOST * column]; }
};

__global__ void contract(const float *basis, const float *field, float *result, int points,
                         int nodes)
{
    __shared__ float half_way[MOST * MOST];
    const columns partial = {half_way};
    for (int part = 0; part < 2; ++part) {
        for (int q = threadIdx.x; q < points; q += blockDim.x)
            for (int n = threadIdx.y; n < nodes; n += blockDim.y) {
                partial(q, n) = 0;
                for (int k = 0; k < points; ++k)
                    partial(q, n) +=
                        basis[k + points * n] * field[(part * points + k) * points + q];
            }
        __syncthreads();
        for (int n = threadIdx.y; n < nodes; n += blockDim.y)
            for (int m = threadIdx.x; m < nodes; m += blockDim.x) {
                float sum = 0;
                for (int q = 0; q < points; ++q)
                    sum += basis[q + points * m] * partial(q, n);
                result[((blockIdx.x * 2 + part) * nodes + n) * nodes + m] = sum;
            }
        __syncthreads();
    }
}

void run(const float *basis, const float *field, float *result, int elements, int points, int nodes)
{
    contract<<<elements, dim3(points, points)>>>(basis, field, result, points, nodes);
}
