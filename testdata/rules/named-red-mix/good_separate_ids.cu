// The voting warps have a barrier of their own.
#include <cuda_runtime.h>

__device__ bool group_any(int id, int threads, bool mine)
{
    int any;
    asm volatile("{\n"
                 ".reg .pred p, q;\n"
                 "setp.ne.s32 p, %3, 0;\n"
                 "barrier.red.or.pred q, %1, %2, p;\n"
                 "selp.s32 %0, 1, 0, q;\n"
                 "}"
                 : "=r"(any)
                 : "r"(id), "r"(threads), "r"(static_cast<int>(mine))
                 : "memory");
    return any != 0;
}

__global__ void halves(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ int line[64];
    int value = in[threadIdx.x];
    if (threadIdx.x < 64) {
        value = group_any(1, 64, value < 0);
    } else {
        line[threadIdx.x - 64] = value;
        asm volatile("bar.sync 2, 64;" ::: "memory");
        value = line[127 - threadIdx.x];
    }
    out[threadIdx.x] = value;
}

void run(const int *in, int *out)
{
    halves<<<1, 128>>>(in, out);
}
