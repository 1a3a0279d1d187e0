// What a number that nobody knows leads to lies behind the bins that are cleared, where something
// has been stored before; or a barrier stands between.
#include <cuda_runtime.h>

__device__ void take(int *to, const int *from, int count);

// The second part of the array holds what the first one is compared with.
__global__ void threshold_behind(const int *in, int *out, int rounds)
{
    __shared__ int words[384];
    __shared__ int place;
    if (threadIdx.x < 128)
        words[256 + threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x == 0)
        place = 256 + (in[5] & 127);
    __syncthreads();
    for (int i = 0; i < rounds; ++i) {
        if (threadIdx.x < 256)
            words[threadIdx.x] = i;
        __syncthreads();
        atomicAdd(&words[in[threadIdx.x] & 255], 1);
        __syncthreads();
        out[i * 512 + threadIdx.x] = words[place];
    }
}

// A function of another file may have filled all of it.
__global__ void filled_elsewhere(const int *in, int *out, int rounds)
{
    __shared__ int words[384];
    __shared__ int place;
    take(words, in, 384);
    if (threadIdx.x == 0)
        place = 256 + (in[5] & 127);
    __syncthreads();
    for (int i = 0; i < rounds; ++i) {
        if (threadIdx.x < 256)
            words[threadIdx.x] = i;
        __syncthreads();
        out[i * 512 + threadIdx.x] = words[place];
    }
}

// One thread has put an end behind the list, and the place may be that.
__global__ void end_of_list(const int *in, int *out, int rounds)
{
    __shared__ int words[257];
    __shared__ int place;
    if (threadIdx.x == 0) {
        words[256] = 0;
        place = 256;
    }
    __syncthreads();
    for (int i = 0; i < rounds; ++i) {
        if (threadIdx.x < 256)
            words[threadIdx.x] = i;
        __syncthreads();
        out[i * 512 + threadIdx.x] = words[place];
    }
}

__global__ void select(const unsigned *in, int *out, int n, int wanted)
{
    __shared__ int bins[320];
    __shared__ int chosen;
    for (int shift = 24; shift >= 0; shift -= 8) {
        if (threadIdx.x < 257)
            bins[threadIdx.x] = 0;
        __syncthreads();
        for (int i = threadIdx.x; i < n; i += 512)
            atomicAdd(&bins[in[i] >> shift & 255], 1);
        __syncthreads();
        if (threadIdx.x < 256 && bins[threadIdx.x] >= wanted && bins[threadIdx.x + 1] < wanted)
            chosen = threadIdx.x;
        __syncthreads();
        wanted -= bins[chosen + 1];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        *out = wanted;
}

void run(const int *in, int *out, const unsigned *keys, int n, int wanted)
{
    threshold_behind<<<1, 512>>>(in, out, n);
    filled_elsewhere<<<1, 512>>>(in, out, n);
    end_of_list<<<1, 512>>>(in, out, n);
    select<<<1, 512>>>(keys, out, n, wanted);
}
