// One warp is meant to arrive for the block, picked by its number in the multiprocessor: a second
// block there has no warp of that number.
#include <cuda/barrier>

__device__ bool is_first_warp()
{
    unsigned number;
    asm("mov.u32 %0, %%warpid;" : "=r"(number));
    return number == 0;
}

__global__ void publish(const float *in, float *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> stored;
    __shared__ float line[32];
    if (threadIdx.x == 0)
        init(&stored, 32);
    __syncthreads();
    if (is_first_warp()) {
        line[threadIdx.x % 32] = in[threadIdx.x % 32];
        (void)stored.arrive(); // expect: init-count-mismatch
    }
    stored.wait_parity(0);
    out[threadIdx.x] = line[threadIdx.x % 32];
}

void run(const float *in, float *out)
{
    publish<<<1024, 128>>>(in, out);
}
