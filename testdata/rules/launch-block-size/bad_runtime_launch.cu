// Three extents whose product is too large, by the runtime's function.
#include <cuda_runtime.h>

__global__ void fill(float *data)
{
    const int at = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    data[at] = 1.0f;
    __syncthreads();
}

void run(float *data)
{
    dim3 block(32, 32, 2);
    void *arguments[] = {&data};
    (void)cudaLaunchKernel(reinterpret_cast<void *>(fill), dim3(1), block, arguments, 0, 0); // expect: launch-block-size
}
