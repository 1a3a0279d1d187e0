// A thread arrives in the phase first and waits then.
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
    while (!cuda::ptx::mbarrier_try_wait_parity(&stored, 0)) { // expect: phase-self-deadlock
    }
    cuda::ptx::mbarrier_arrive(&stored);
    data[threadIdx.x] = line[127 - threadIdx.x];
}

void launch(float *data)
{
    mirror<<<1, 128>>>(data);
}
