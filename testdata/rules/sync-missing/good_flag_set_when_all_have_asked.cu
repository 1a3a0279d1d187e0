// All threads ask a word whether to go into a branch that holds a barrier, and meet before somebody
// sets it again. And a word that spares threads work: who asks it late has done some in vain.
#include <cuda_runtime.h>

__global__ void queue_of_matches(const int *keys, int wanted, int *out, int count)
{
    __shared__ int list[4 * 256];
    __shared__ bool full;
    int kept = 0;
    if (threadIdx.x == 0)
        full = false;
    __syncthreads();
    for (int at = threadIdx.x; at < (count + 255) / 256 * 256; at += 256) {
        if (at < count && keys[at] == wanted) {
            list[kept * 256 + threadIdx.x] = at;
            if (++kept == 4)
                full = true;
        }
        __syncthreads();
        if (full) {
            for (int i = 0; i < kept; ++i)
                out[atomicAdd(out, 1) + 1] = list[i * 256 + threadIdx.x];
            kept = 0;
            __syncthreads();
            if (threadIdx.x == 0)
                full = false;
        }
        __syncthreads();
    }
}

__global__ void any_match(const int *keys, int wanted, int *out, int count)
{
    __shared__ bool found;
    if (threadIdx.x == 0)
        found = false;
    __syncthreads();
    for (int at = threadIdx.x; at < count; at += 256) {
        if (!found && keys[at] == wanted)
            found = true;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        out[0] = found;
}

void launch(const int *keys, int wanted, int *out, int count)
{
    queue_of_matches<<<1, 256>>>(keys, wanted, out, count);
    any_match<<<1, 256>>>(keys, wanted, out, count);
}
