// Blocks count the words that match, tell each other how many, and store where they lie: each behind what the
// blocks before it have. Where the arrays lie a record says; of these places no code of the kernel reads any,
// so that what comes behind the second meeting needs none of them.
#include <cuda_runtime.h>

struct Search {
    const unsigned *words;
    unsigned pattern;
    int perBlock;
    int *places;
    int *matches;
    int *claimed;
    unsigned *meetings;
};

__device__ void meet(unsigned *meetings, unsigned turn)
{
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(meetings, 1);
        while (*(volatile unsigned *)meetings < turn * gridDim.x) {
        }
        __threadfence();
    }
    __syncthreads();
}

__global__ void locate(Search s)
{
    __shared__ int here, next;
    const unsigned *own = s.words + blockIdx.x * s.perBlock;
    if (threadIdx.x == 0)
        here = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < s.perBlock; i += blockDim.x)
        if (own[i] == s.pattern)
            atomicAdd(&here, 1);
    __syncthreads();
    if (threadIdx.x == 0)
        s.matches[blockIdx.x] = here;
    meet(s.meetings, 1);
    if (threadIdx.x == 0) {
        next = 0;
        for (int b = 0; b < blockIdx.x; ++b)
            next += s.matches[b];
        atomicAdd(s.claimed, here);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < s.perBlock; i += blockDim.x)
        if (own[i] == s.pattern)
            s.places[atomicAdd(&next, 1)] = blockIdx.x * s.perBlock + i;
    meet(s.meetings, 2);
    for (int i = threadIdx.x; i < s.perBlock; i += blockDim.x)
        if (own[i] == ~s.pattern)
            s.places[atomicAdd(s.claimed, 1)] = blockIdx.x * s.perBlock + i;
}

void launch(Search s)
{
    void *arguments[] = {&s};
    cudaLaunchCooperativeKernel((void *)locate, dim3(32), dim3(128), arguments, 0, 0);
}
