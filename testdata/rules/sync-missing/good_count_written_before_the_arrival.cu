// The producer writes down how long the row was, says that it is there, and ends. Another warp ends
// without a word; whoever waits for all that are left comes behind what it has written.
#include <cuda/barrier>

__global__ void add_up(const float *in, const int *length, float *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> filled;
    __shared__ float row[32], scale[32];
    __shared__ int used;
    if (threadIdx.x == 0)
        init(&filled, 64);
    __syncthreads();
    if (threadIdx.x >= 64) {
        scale[threadIdx.x - 64] = in[threadIdx.x];
        return;
    }
    __syncthreads();
    if (threadIdx.x >= 32) {
        const int lane = threadIdx.x - 32;
        row[lane] = in[blockIdx.x * 32 + lane] * scale[31 - lane];
        if (lane == 0)
            used = length[blockIdx.x];
        (void)filled.arrive();
        return;
    }
    filled.arrive_and_wait();
    float sum = threadIdx.x < used ? row[31 - threadIdx.x] : 0.0f;
    out[blockIdx.x * 32 + threadIdx.x] = sum;
}

void run(const float *in, const int *length, float *out)
{
    add_up<<<16, 96>>>(in, length, out);
}
