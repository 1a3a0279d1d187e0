// The arm depends on the thread's data, the vote is in both.
#include <cuda_runtime.h>

__global__ void classify(const int *__restrict__ in, int *__restrict__ out)
{
    int votes;
    if (in[threadIdx.x] > 7) {
        out[128 + threadIdx.x] = 1;
        votes = __syncthreads_count(1);
    } else {
        out[128 + threadIdx.x] = 0;
        votes = __syncthreads_count(0); // expect: sync-two-sites
    }
    out[threadIdx.x] = votes;
}

void run(const int *in, int *out)
{
    classify<<<1, 128>>>(in, out);
}
