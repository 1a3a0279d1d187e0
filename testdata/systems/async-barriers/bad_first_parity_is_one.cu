// A fresh barrier is in phase 0.
#include <cstdint>
#include <cuda/ptx>

__global__ void mirror(float *data)
{
    __shared__ uint64_t stored;
    __shared__ float line[128];
    if (threadIdx.x == 0)
        cuda::ptx::mbarrier_init(&stored, blockDim.x);
    __syncthreads();
    line[threadIdx.x] = data[threadIdx.x];
    cuda::ptx::mbarrier_arrive(&stored);
    while (!cuda::ptx::mbarrier_try_wait_parity(&stored, 1)) { // expect: phase-parity-initial
    }
    data[threadIdx.x] = line[127 - threadIdx.x];
}

void launch(float *data)
{
    mirror<<<1, 128>>>(data);
}
