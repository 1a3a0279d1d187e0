// A search by halving: all threads count what lies above the threshold, and where that is too much
// one of them raises it. The others may ask with the new one in the same round, or with the old one
// in the next.
#include <cuda_runtime.h>

__global__ void raise_by_votes(const float *in, float *out, int n, int wanted)
{
    __shared__ float threshold;
    const float mine = threadIdx.x < n ? in[blockIdx.x * n + threadIdx.x] : -1.f;
    if (threadIdx.x == 0)
        threshold = 0.f;
    __syncthreads();
    for (int round = 0; round < 16; ++round) {
        int above = __syncthreads_count(mine > threshold); // expect: sync-missing
        if (threadIdx.x == 0 && above > wanted)
            threshold += exp2f(-round);
    }
    __syncthreads();
    out[blockIdx.x] = threshold;
}

__global__ void raise_by_sums(const float *in, float *out, int n, int wanted)
{
    __shared__ float threshold;
    __shared__ int counts[16];
    if (threadIdx.x < 16)
        counts[threadIdx.x] = 0;
    if (threadIdx.x == 0)
        threshold = 0.f;
    __syncthreads();
    for (int round = 0; round < 16; ++round) {
        for (int i = threadIdx.x; i < n; i += 256) {
            if (in[blockIdx.x * n + i] > threshold) // expect: sync-missing
                atomicAdd(&counts[round], 1);
        }
        __syncthreads();
        if (counts[round] > wanted && threadIdx.x == 0)
            threshold += exp2f(-round);
    }
    __syncthreads();
    out[blockIdx.x] = threshold;
}

// Only where the block agrees is there anything to do at all.
__global__ void first_of_all(const int *in, int *out, int n)
{
    __shared__ int begin;
    for (int i = threadIdx.x; i < n; i += 256) {
        if (__syncthreads_or(in[i] < 0)) {
            if (threadIdx.x == 0)
                begin = atomicAdd(out, 256);
            out[begin + threadIdx.x + 1] = in[i]; // expect: sync-missing
        }
    }
}

void run(const float *in, float *out, const int *list, int *found, int n, int wanted, int blocks)
{
    raise_by_votes<<<blocks, 256>>>(in, out, n, wanted);
    raise_by_sums<<<blocks, 256>>>(in, out, n, wanted);
    first_of_all<<<1, 256>>>(list, found, 4096);
}
