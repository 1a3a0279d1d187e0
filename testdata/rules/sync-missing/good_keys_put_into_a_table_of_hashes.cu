// The block meets before it gathers the next keys. And a lock, which is the same word each time one
// asks for it, does order what stands behind it.
#include <cuda_runtime.h>

__device__ void put(int *table, int places, int key)
{
    int place = key % places;
    while (true) {
        int found = atomicCAS(&table[place % places], -1, key);
        if (found == -1 || found == key)
            break;
        ++place;
    }
}

__global__ void rehash(const int *old, int n, int *table, int places)
{
    __shared__ int key[128];
    __shared__ unsigned keys;
    for (int begin = blockIdx.x * 128; begin < n; begin += gridDim.x * 128) {
        if (threadIdx.x == 0)
            keys = 0;
        __syncthreads();
        int mine = begin + (int)threadIdx.x < n ? old[begin + threadIdx.x] : -1;
        if (mine != -1)
            key[atomicAdd(&keys, 1u)] = mine;
        __syncthreads();
        unsigned count = keys;
        for (unsigned i = threadIdx.x; i < count; i += 128)
            put(table, places, key[i]);
        __syncthreads();
    }
}

__global__ void add_up(const float *in, float *out)
{
    __shared__ int lock;
    __shared__ float sum;
    if (threadIdx.x == 0) {
        lock = 0;
        sum = 0;
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) {
        }
        __threadfence_block();
        sum += in[blockIdx.x * 128 + threadIdx.x];
        __threadfence_block();
        atomicExch(&lock, 0);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

void launch(const int *old, int n, int *table, int places, const float *in, float *out)
{
    rehash<<<80, 128>>>(old, n, table, places);
    add_up<<<80, 128>>>(in, out);
}
