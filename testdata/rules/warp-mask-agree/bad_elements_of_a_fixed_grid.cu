// A grid of fixed size goes through however many elements there are, a lane or a team of four lanes
// at each: at the end some lanes of a warp have one more than others.
#include <cuda_runtime.h>

__global__ void mark(const float *value, unsigned *bits, int count)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        const unsigned set = __ballot_sync(0xffffffffu, value[i] > 0.0f); // expect: warp-mask-agree
        if (threadIdx.x % 32 == 0)
            bits[i / 32] = set;
    }
}

template <int Threads>
__global__ void row_sums(const float *value, float *sum, int rows)
{
    const int team = threadIdx.x / 4, lane = threadIdx.x % 4;
    for (int row = blockIdx.x * (Threads / 4) + team; row < rows;
         row += gridDim.x * (Threads / 4)) {
        float own = value[row * 4 + lane];
        for (int step = 2; step > 0; step /= 2)
            own += __shfl_xor_sync(0xffffffffu, own, step); // expect: warp-mask-agree
        if (lane == 0)
            sum[row] = own;
    }
}

void launch(const float *value, unsigned *bits, float *sum, int count, int rows)
{
    mark<<<132, 256>>>(value, bits, count);
    row_sums<128><<<264, 128>>>(value, sum, rows);
}
