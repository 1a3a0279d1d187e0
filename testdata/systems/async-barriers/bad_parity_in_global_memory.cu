// Phases are told by parity for barriers in shared memory only.
#include <cstdint>
#include <cuda/ptx>

__global__ void mirror(uint64_t *stored, float *data)
{
    if (threadIdx.x == 0)
        cuda::ptx::mbarrier_init(stored, blockDim.x); // expect: init-placement
    __syncthreads();
    cuda::ptx::mbarrier_arrive(stored);
    data[threadIdx.x] += 1;
    while (!cuda::ptx::mbarrier_try_wait_parity(stored, 0)) {
    }
    data[threadIdx.x] *= 2;
}

void launch(uint64_t *stored, float *data)
{
    mirror<<<1, 128>>>(stored, data);
}
