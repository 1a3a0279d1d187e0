// The primitives count to 16383 only.
#include <cuda_awbarrier_primitives.h>

constexpr int kRounds = 64;

__global__ void batch(float *data)
{
    __shared__ __mbarrier_t done;
    if (threadIdx.x == 0)
        __mbarrier_init(&done, blockDim.x * kRounds); // expect: init-count-range
    __syncthreads();
    for (int round = 0; round < kRounds; ++round)
        data[round * blockDim.x + threadIdx.x] += 1.0f;
}

void run(float *data)
{
    batch<<<1, 512>>>(data);
}
