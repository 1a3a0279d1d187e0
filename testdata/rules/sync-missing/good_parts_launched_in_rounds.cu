// Each part of a row is as wide as the block, and the host launches as many parts as the row has, in
// more rounds than are told apart: the last thread of the last part has no neighbour to its right.
#include <climits>
#include <cuda_runtime.h>

constexpr int Part = 128;
constexpr int Lines = Part / 2;

__global__ void cheapest(const short *cost, int *best, int width, int height, int begin)
{
    __shared__ int line[2][Part];
    int now = 0;
    const int x = blockIdx.x * Part + threadIdx.x;
    const bool is_first = blockIdx.x == 0, is_last = blockIdx.x == gridDim.x - 1;
    if (x < width)
        line[0][threadIdx.x] = best[begin * width + x];
    __syncthreads();
    for (int y = begin + 1; y < begin + Lines && y < height; ++y) {
        const int edge = y - begin; // as far the other parts have been at work
        if (x < width && (is_first || threadIdx.x >= edge) &&
            (is_last || threadIdx.x < Part - edge)) {
            const int *from = line[now];
            const int left = x > 0 ? from[threadIdx.x - 1] : INT_MAX;
            const int right = x < width - 1 ? from[threadIdx.x + 1] : INT_MAX;
            const int sum = cost[y * width + x] + min(from[threadIdx.x], min(left, right));
            best[y * width + x] = sum;
            now = 1 - now;
            line[now][threadIdx.x] = sum;
        }
        __syncthreads();
    }
}

void run(const short *cost, int *best, int width, int height)
{
    if (width <= Part)
        return;
    dim3 threads(Part), parts((width - 1) / Part + 1);
    for (int begin = 0; begin < height - 1; begin += Lines - 1)
        cheapest<<<parts, threads>>>(cost, best, width, height, begin);
}
