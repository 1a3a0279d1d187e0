// Launches: the shape and the arguments of each kind.
#include <cuda_runtime.h>

struct params {
    int n;
    float *out;
};
__global__ void kernel(int *p, params q)
{
}
template <int N> __global__ void sized(float *p)
{
}
void run(int *p, int n, cudaStream_t s)
{
    kernel<<<n / 256, 256>>>(p, {n, nullptr});
    dim3 block(32, 8);
    kernel<<<dim3(n, 2), block, 1024, s>>>(p, params{});
    sized<4><<<1, dim3{16, 2}>>>(nullptr);
}
void api(int *p, void **args, cudaStream_t s)
{
    cudaLaunchKernel((void *)kernel, dim3(4), dim3(128), args, 64, s);
    cudaLaunchCooperativeKernel((void *)sized<2>, dim3(2), dim3(64), args, 0, s);
    cudaLaunchConfig_t config = {};
    config.gridDim = 8;
    config.blockDim = dim3(96);
    cudaLaunchAttribute attribute[1];
    config.attrs = attribute;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, sized<3>, (float *)p);
}
template <class F> void launcher(F *f, int threads)
{
    f<<<1, threads>>>(nullptr);
}
int main()
{
    launcher(sized<5>, 192);
}
void in_lambda(float *p, int n, cudaStream_t s)
{
    [&] { sized<6><<<n, dim3(32, 4), 64, s>>>(p); }();
}
__global__ void on_device(float *p)
{
    sized<7><<<2, 96>>>(p);
}
