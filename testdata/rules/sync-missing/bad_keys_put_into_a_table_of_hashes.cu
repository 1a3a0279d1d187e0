// Going on to the next place of a table until one is free waits for no other thread: that a place is
// taken atomically orders nothing of what the block keeps in shared memory.
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
            keys = 0; // expect: sync-missing
        __syncthreads();
        int mine = begin + (int)threadIdx.x < n ? old[begin + threadIdx.x] : -1;
        if (mine != -1)
            key[atomicAdd(&keys, 1u)] = mine;
        __syncthreads();
        unsigned count = keys;
        for (unsigned i = threadIdx.x; i < count; i += 128)
            put(table, places, key[i]);
    }
}

void launch(const int *old, int n, int *table, int places)
{
    rehash<<<80, 128>>>(old, n, table, places);
}
