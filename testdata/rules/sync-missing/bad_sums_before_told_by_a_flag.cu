// Each block tells the next ones its own sum, and later that of all up to it: both by a word that
// says which of the two is there. The word and the sum are two stores, with no fence in between.
#include <cuda_runtime.h>

__device__ volatile int known[4096];
__device__ int own_sum[4096], sum_up_to[4096];

__global__ void prefix(const int *in, int *out)
{
    __shared__ int total, before;
    const int value = in[blockIdx.x * 128 + threadIdx.x];
    if (threadIdx.x == 0)
        total = 0;
    __syncthreads();
    atomicAdd(&total, value);
    __syncthreads();
    if (threadIdx.x == 0) {
        own_sum[blockIdx.x] = total;
        known[blockIdx.x] = 1; // expect: sync-missing
        int sum = 0;
        for (int block = (int)blockIdx.x - 1; block >= 0; --block) {
            int what;
            do
                what = known[block];
            while (what == 0);
            __threadfence();
            if (what == 2) {
                sum += sum_up_to[block];
                break;
            }
            sum += own_sum[block];
        }
        sum_up_to[blockIdx.x] = sum + total;
        __threadfence();
        known[blockIdx.x] = 2;
        before = sum;
    }
    __syncthreads();
    out[blockIdx.x * 128 + threadIdx.x] = value + before;
}

void launch(const int *in, int *out)
{
    prefix<<<512, 128>>>(in, out);
}
