// The producer says that the row is there, writes down how long it was, and ends.
#include <cuda/barrier>

__global__ void add_up(const float *in, const int *length, float *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> filled;
    __shared__ float row[32];
    __shared__ int used;
    if (threadIdx.x == 0)
        init(&filled, 64);
    __syncthreads();
    if (threadIdx.x >= 32) {
        const int lane = threadIdx.x - 32;
        row[lane] = in[blockIdx.x * 32 + lane];
        (void)filled.arrive();
        if (lane == 0)
            used = length[blockIdx.x];
        return;
    }
    filled.arrive_and_wait();
    float sum = threadIdx.x < used ? row[31 - threadIdx.x] : 0.0f; // expect: sync-missing
    out[blockIdx.x * 32 + threadIdx.x] = sum;
}

void run(const float *in, const int *length, float *out)
{
    add_up<<<16, 64>>>(in, length, out);
}
