// Which of the two arrives a thread executes depends on its data; that it executes one does not.
#include <cuda/barrier>
#include <utility>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void partition(const int *__restrict__ in, int *__restrict__ out, int pivot)
{
    __shared__ block_barrier placed;
    __shared__ int low[128], high[128];
    if (threadIdx.x == 0)
        init(&placed, 128);
    __syncthreads();
    const int value = in[threadIdx.x];
    block_barrier::arrival_token token;
    if (value < pivot) {
        low[threadIdx.x] = value;
        token = placed.arrive();
    } else {
        high[threadIdx.x] = value;
        token = placed.arrive();
    }
    placed.wait(std::move(token));
    out[threadIdx.x] = low[127 - threadIdx.x] + high[127 - threadIdx.x];
}

void run(const int *in, int *out)
{
    partition<<<1, 128>>>(in, out, 17);
}
