// The next tiles wait in registers until all warps are done with this one.
#include <cuda_runtime.h>

constexpr int rows = 64, depth = 16, threads = 256, share = rows * depth / threads;

__global__ void multiply(const float *__restrict__ a, const float *__restrict__ b,
                         float *__restrict__ c, int n, int k)
{
    __shared__ float left[depth][rows], right[depth][rows];
    const int row = threadIdx.x / 16 * 4, column = threadIdx.x % 16 * 4;
    float sum[4][4] = {}, next[2][share];
    auto load = [&](int from) {
        for (int i = 0; i < share; ++i) {
            const int e = threadIdx.x + i * threads;
            next[0][i] = a[(blockIdx.y * rows + e / depth) * k + from + e % depth];
            next[1][i] = b[(from + e / rows) * n + blockIdx.x * rows + e % rows];
        }
    };
    auto store = [&]() {
        for (int i = 0; i < share; ++i) {
            const int e = threadIdx.x + i * threads;
            left[e % depth][e / depth] = next[0][i];
            right[e / rows][e % rows] = next[1][i];
        }
    };
    load(0);
    store();
    __syncthreads();
    for (int from = depth; from <= k; from += depth) {
        if (from < k)
            load(from);
        for (int d = 0; d < depth; ++d)
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j)
                    sum[i][j] += left[d][row + i] * right[d][column + j];
        if (from < k) {
            __syncthreads();
            store();
            __syncthreads();
        }
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            c[(blockIdx.y * rows + row + i) * n + blockIdx.x * rows + column + j] = sum[i][j];
}

void run(const float *a, const float *b, float *c, int n, int k)
{
    multiply<<<dim3(n / rows, n / rows), threads>>>(a, b, c, n, k);
}
