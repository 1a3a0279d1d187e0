// Groups of eight lanes have a maximum each, and a running sum is another in every lane.
#include <cuda_runtime.h>

__global__ void peaks_of_eight(const int *in, int *out, int none)
{
    __shared__ int line[32];
    int value = in[blockIdx.x * 32 + threadIdx.x], place = threadIdx.x;
    line[threadIdx.x] = value;
    for (int bit = 4; bit > 0; bit /= 2) {
        const int other = __shfl_xor_sync(0xffffffff, value, bit);
        const int there = __shfl_xor_sync(0xffffffff, place, bit);
        if (other > value || (other == value && there < place)) {
            value = other;
            place = there;
        }
    }
    if (place != none) {
        __syncthreads(); // expect: sync-divergent
        out[blockIdx.x * 32 + threadIdx.x] = line[31 - threadIdx.x] - value;
    }
}

__global__ void above(const int *in, int *out, int limit)
{
    __shared__ int line[32];
    int sum = in[threadIdx.x];
    for (int step = 1; step < 32; step *= 2) {
        const int before = __shfl_up_sync(0xffffffff, sum, step);
        if (threadIdx.x >= step)
            sum += before;
    }
    line[threadIdx.x] = sum;
    if (sum > limit) {
        __syncthreads(); // expect: sync-divergent
        out[threadIdx.x] = line[0];
    }
}

void launch(const int *in, int *out)
{
    peaks_of_eight<<<64, 32>>>(in, out, 5);
    above<<<1, 32>>>(in, out, 100);
}
