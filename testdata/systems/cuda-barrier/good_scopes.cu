// A barrier of each scope, constructed as an object of the thread that has it.
#include <cuda/barrier>

__global__ void construct(int *out)
{
    cuda::barrier<cuda::thread_scope_system> system(10);
    cuda::std::barrier<> standard(10);
    cuda::barrier<cuda::thread_scope_device> device(10);
    cuda::barrier<cuda::thread_scope_block> block(10);
    out[threadIdx.x] = sizeof system + sizeof standard + sizeof device + sizeof block;
}

void launch(int *out)
{
    construct<<<1, 32>>>(out);
}
