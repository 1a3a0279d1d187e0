// Thread 0 releases its block's part of the sums when all threads have stored theirs. The count is
// named by a record that names a variable of the thread too, as libraries of atomics have it.
#include <cuda_runtime.h>

template <typename T> struct release_add {
    T *to;
    const T *by;
    T *old;
    __device__ void operator()() const
    {
        asm volatile("atom.add.release.gpu.s32 %0, [%1], %2;"
                     : "=r"(*old)
                     : "l"(to), "r"(*by)
                     : "memory");
    }
};

template <typename Operation> __device__ void perform(const Operation &operation)
{
    operation();
}

template <typename T> __device__ T add_released(T &to, T by)
{
    T old;
    perform(release_add<T>{&to, &by, &old});
    return old;
}

__global__ void sums(const float *__restrict__ in, float *parts, int *ready, float *out)
{
    const int part = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x + 1 < gridDim.x) {
        parts[part] = in[part] * in[part];
        __syncthreads();
        if (threadIdx.x == 0)
            add_released(*ready, 1);
    } else {
        if (threadIdx.x == 0) {
            int seen = 0;
            while (seen + 1 < (int)gridDim.x)
                asm volatile("ld.acquire.gpu.s32 %0, [%1];" : "=r"(seen) : "l"(ready) : "memory");
        }
        __syncthreads();
        float sum = 0;
        for (int i = threadIdx.x; i < (int)(blockIdx.x * blockDim.x); i += blockDim.x)
            sum += parts[i];
        out[threadIdx.x] = sum;
    }
}

void launch(const float *in, float *parts, int *ready, float *out)
{
    void *args[] = {&in, &parts, &ready, &out};
    cudaLaunchCooperativeKernel((const void *)sums, dim3(64), dim3(128), args, 0, 0);
}
