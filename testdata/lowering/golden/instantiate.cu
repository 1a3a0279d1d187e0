// Explicit instantiations, which nothing calls.
#include <cuda_runtime.h>

template <int N, class T> __global__ void kernel(T *p)
{
    __syncthreads();
    p[threadIdx.x] = N;
}
template <class T> void run(T *p)
{
    kernel<3, T><<<1, 64>>>(p);
}
template <class T> struct tool {
    __device__ void use(T *p)
    {
        *p = sizeof(T);
    }
};
template void run<float>(float *);
template __global__ void kernel<7>(int *);
template struct tool<short>;
#define MORE(n) template __global__ void kernel<n>(char *);
MORE(9)

// Values of parameters as the language writes them.
template <bool Flag, unsigned Count, long long Least>
__global__ void valued(unsigned *out)
{
    out[0] = Flag ? Count : (unsigned)Least;
}

void launch_valued(unsigned *out)
{
    valued<true, 4000000000u, -2><<<1, 32>>>(out);
}
