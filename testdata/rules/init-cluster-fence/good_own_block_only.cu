// A kernel launched in clusters whose mbarriers never leave their block needs no more than a block
// barrier.
#include <cuda/barrier>

__global__ void __cluster_dims__(2, 1, 1) reverse(const int *__restrict__ in,
                                                  int *__restrict__ out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> stored;
    __shared__ int line[64];
    if (threadIdx.x == 0)
        init(&stored, 64);
    __syncthreads();
    line[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    stored.arrive_and_wait();
    out[blockIdx.x * 64 + threadIdx.x] = line[63 - threadIdx.x];
}

void run(const int *in, int *out, int pairs)
{
    reverse<<<2 * pairs, 64>>>(in, out);
}
