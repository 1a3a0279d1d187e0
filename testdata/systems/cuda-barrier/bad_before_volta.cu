// arch: sm_60
// headers: builtin
// Compute capability 6 and below have no cuda::barrier.
#include <cuda/barrier>

__global__ void reverse(float *data)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> stored;
    __shared__ float line[128];
    if (threadIdx.x == 0)
        init(&stored, blockDim.x); // expect: port-arch
    __syncthreads();
    line[threadIdx.x] = data[threadIdx.x];
    stored.arrive_and_wait(); // expect: port-arch
    data[threadIdx.x] = line[127 - threadIdx.x];
}

void launch(float *data)
{
    reverse<<<1, 128>>>(data);
}
