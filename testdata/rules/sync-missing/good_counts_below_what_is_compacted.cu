// The counts of the warps lie in the memory that the kept values are stored to once all have read
// them.
#include <cuda_runtime.h>

union Room {
    int count[8];
    int kept[256];
};

__global__ void compact(const int *__restrict__ in, int *__restrict__ out, int *__restrict__ total)
{
    __shared__ Room room;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int value = in[blockIdx.x * 256 + threadIdx.x];
    const int keeps = value > 0;
    int before = keeps;
    for (int by = 1; by < 32; by *= 2) {
        const int other = __shfl_up_sync(0xffffffffu, before, by);
        if (lane >= by)
            before += other;
    }
    if (lane == 31)
        room.count[warp] = before;
    __syncthreads();
    int base = 0, all = 0;
    for (int w = 0; w < 8; ++w) {
        base += w < warp ? room.count[w] : 0;
        all += room.count[w];
    }
    __syncthreads();
    if (keeps)
        room.kept[base + before - 1] = value;
    __syncthreads();
    if (threadIdx.x < all)
        out[blockIdx.x * 256 + threadIdx.x] = room.kept[threadIdx.x];
    if (threadIdx.x == 0)
        total[blockIdx.x] = all;
}

void launch(const int *in, int *out, int *total, int blocks)
{
    compact<<<blocks, 256>>>(in, out, total);
}
