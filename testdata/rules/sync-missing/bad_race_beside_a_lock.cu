// Two mistakes in one array: the lock is given back with no __syncwarp(), and other bytes are read with no
// barrier behind those who store them.
#include <cuda_runtime.h>

__global__ void add_and_mirror(int *out, const int *in) {
    __shared__ int m[256];
    int lane = threadIdx.x % 32, t = threadIdx.x;
    if (t == 0) m[0] = 0;
    if (t < 32) m[32 + t] = 0;
    __syncthreads();
    if (lane == 0) { while (atomicCAS(&m[0], 0, 1) != 0) {} __threadfence_block(); }
    __syncwarp();
    m[32 + lane] += in[t];
    if (lane == 0) { __threadfence_block(); atomicExch(&m[0], 0); } // expect: sync-missing
    __syncthreads();
    if (t < 32) out[t] = m[32 + t];
    m[128 + t] = in[t];
    out[t + 256] = m[255 - t]; // expect: sync-missing
}

void run(int *out, const int *in)
{
    add_and_mirror<<<1, 128>>>(out, in);
}
