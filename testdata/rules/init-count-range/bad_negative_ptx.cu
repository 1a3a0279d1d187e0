// One thread fewer than none.
#include <cstdint>
#include <cuda/ptx>

__global__ void lonely(float *data)
{
    __shared__ uint64_t others;
    if (threadIdx.x == 0)
        cuda::ptx::mbarrier_init(&others, blockDim.x / 64 - 1); // expect: init-count-range
    __syncthreads();
    data[threadIdx.x] += 1.0f;
}

void run(float *data)
{
    lonely<<<1, 32>>>(data);
}
