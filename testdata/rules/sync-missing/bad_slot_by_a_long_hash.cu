// The slot of a key comes of a hash of many steps, so any thread may get any slot; the table is
// read with no barrier behind that.
#include <cuda_runtime.h>

__device__ unsigned mix(unsigned key)
{
    for (int i = 0; i < 6; ++i) {
        key ^= key >> 16;
        key *= 0x7feb352du;
        key ^= key >> 15;
        key *= 0x846ca68bu;
    }
    return key;
}

__global__ void place(const unsigned *keys, unsigned *out)
{
    __shared__ unsigned table[256];
    table[threadIdx.x] = 0;
    __syncthreads();
    const unsigned key = keys[blockIdx.x * 256 + threadIdx.x];
    table[mix(key) % 256] = key;
    out[blockIdx.x * 256 + threadIdx.x] = table[threadIdx.x]; // expect: sync-missing
}

void run(const unsigned *keys, unsigned *out)
{
    place<<<16, 256>>>(keys, out);
}
