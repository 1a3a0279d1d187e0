// Shared memory: known, dynamic, of classes with constructors, owned by instances of templates.
#include <cuda_runtime.h>

struct guarded {
    unsigned long long word;
    __device__ guarded() : word(0)
    {
    }
    __device__ void init(int n)
    {
        word = n;
    }
};
struct storage {
    alignas(128) float tile[4][32];
    unsigned long long full[2], empty[2];
};
extern __shared__ __align__(16) unsigned char raw[];
__constant__ int table[4] = {1, 2, 3, 4};
__device__ int counter;
template <int N> __device__ int *buffer()
{
    __shared__ int words[N];
    return words;
}
__global__ void kernel(float *p)
{
    __shared__ guarded bar[2];
    static __shared__ int once;
    __shared__ alignas(8 * 4) int aligned;
    aligned = 0;
    storage &s = *reinterpret_cast<storage *>(raw);
    extern __shared__ float4 quads[];
    bar[1].init(3);
    s.tile[1][threadIdx.x] = p[0];
    s.full[1] = once + table[threadIdx.y];
    quads[2].y = 1.0f;
    buffer<8>()[0] = counter;
    buffer<16>()[0] = warpSize;
}
