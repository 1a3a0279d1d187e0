// A barrier on the stack of each thread.
#include <cstdint>
#include <cuda/ptx>

__global__ void own_barrier(float *data)
{
    uint64_t mine;
    cuda::ptx::mbarrier_init(&mine, 1); // expect: init-placement
    data[threadIdx.x] += 1.0f;
}

void run(float *data)
{
    own_barrier<<<1, 128>>>(data);
}
