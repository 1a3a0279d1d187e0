// Each thread runs as many rounds as its own row needs.
#include <cuda/barrier>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void rows(const int *__restrict__ start, const float *__restrict__ value,
                     float *__restrict__ sum)
{
    __shared__ block_barrier step;
    __shared__ float line[128];
    if (threadIdx.x == 0)
        init(&step, blockDim.x);
    __syncthreads();
    float total = 0.0f;
    for (int k = start[threadIdx.x]; k < start[threadIdx.x + 1]; ++k) {
        line[threadIdx.x] = value[k]; // expect: sync-missing
        step.arrive_and_wait(); // expect: arrive-loop-mismatch
        total += line[(threadIdx.x + 1) % 128];
    }
    sum[threadIdx.x] = total;
}

void run(const int *start, const float *value, float *sum)
{
    rows<<<1, 128>>>(start, value, sum);
}
