// What is above a bound is moved to the front by a scan of each warp's counts, and read there by
// the same warp, which has met by then.
#include <cuda_runtime.h>

__global__ void compact(const int *__restrict__ in, int *__restrict__ out, int bound)
{
    __shared__ int kept[256];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int value = in[blockIdx.x * 256 + threadIdx.x];
    const int keeps = value > bound;
    kept[threadIdx.x] = 0;
    __syncthreads();
    int before = keeps;
    for (int by = 1; by < 32; by *= 2) {
        const int other = __shfl_up_sync(0xffffffffu, before, by);
        if (lane >= by)
            before += other;
    }
    if (keeps)
        kept[warp * 32 + before - 1] = value;
    __syncwarp();
    out[blockIdx.x * 256 + threadIdx.x] = kept[threadIdx.x];
}

void launch(const int *in, int *out, int bound, int blocks)
{
    compact<<<blocks, 256>>>(in, out, bound);
}
