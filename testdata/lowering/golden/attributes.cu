// What a kernel says about its launches.
#include <cuda_runtime.h>

__global__ void __launch_bounds__(256, 2) bounded()
{
}
template <int N> __global__ void __launch_bounds__(N * 32) __cluster_dims__(2, 1) sized()
{
}
__global__ void __cluster_dims__(4) __maxnreg__(64) clustered()
{
}
void run()
{
    sized<4><<<1, 128>>>();
}
