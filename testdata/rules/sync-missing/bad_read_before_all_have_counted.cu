// What threads count, or put at places that their data say, is read by others before all are done.
#include <cuda_runtime.h>

__global__ void histogram(const int *__restrict__ in, int *__restrict__ out, int n)
{
    __shared__ int bin[64];
    for (int i = threadIdx.x; i < 64; i += blockDim.x)
        bin[i] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        atomicAdd(&bin[in[i] & 63], 1);
    for (int i = threadIdx.x; i < 64; i += blockDim.x)
        out[i] = bin[i]; // expect: sync-missing
}

__global__ void keep_some(const int *__restrict__ in, const int *__restrict__ place,
                          int *__restrict__ out)
{
    __shared__ int kept[128];
    const int value = in[threadIdx.x];
    if (value > 0)
        kept[place[threadIdx.x]] = value;
    out[threadIdx.x] = kept[threadIdx.x]; // expect: sync-missing
}

__global__ void greatest(const int *__restrict__ in, int *__restrict__ out, int n)
{
    __shared__ int most;
    if (threadIdx.x == 0)
        most = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        atomicMax(&most, in[i]);
    if (threadIdx.x == 0)
        out[blockIdx.x] = most; // expect: sync-missing
}

// The table is stored anew while other warps still look up what was there.
__global__ void look_up(const int *__restrict__ in, const int *__restrict__ key,
                        int *__restrict__ out)
{
    __shared__ int table[256];
    for (int round = 0; round < 4; ++round) {
        table[threadIdx.x] = in[round * 256 + threadIdx.x]; // expect: sync-missing
        __syncthreads();
        out[round * 256 + threadIdx.x] = table[key[threadIdx.x] & 255];
    }
}

// Each warp has keys of its own, which its lanes clear together.
__global__ void insert(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ int keys[4][128];
    int *mine = keys[threadIdx.x / 32];
    for (int i = threadIdx.x % 32; i < 128; i += 32)
        mine[i] = -1;
    atomicCAS(&mine[in[threadIdx.x] & 127], -1, 1); // expect: sync-missing
    __syncwarp();
    out[threadIdx.x] = mine[threadIdx.x % 32];
}

void run(const int *in, const int *place, int *out, int n)
{
    histogram<<<1, 128>>>(in, out, n);
    keep_some<<<1, 128>>>(in, place, out);
    greatest<<<8, 128>>>(in, out, n);
    look_up<<<1, 256>>>(in, place, out);
    insert<<<1, 128>>>(in, out);
}
