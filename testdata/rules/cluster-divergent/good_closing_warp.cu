// The destructor of what holds the pair's tensor memory meets the other block in one warp; the
// others have nothing left to do, and the cluster's barrier is one of the threads that have not
// left.
#include <cuda_runtime.h>

struct pair_memory {
    unsigned place;

    __device__ explicit pair_memory(unsigned *word)
    {
        if (threadIdx.x < 32)
            *word = 64 * (threadIdx.x / 32);
        __syncthreads();
        place = *word;
    }

    __device__ ~pair_memory()
    {
        if (threadIdx.x < 32) {
            asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
            asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
        }
    }
};

__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(128)
    scale(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ unsigned word;
    pair_memory memory(&word);
    const unsigned i = blockIdx.x * 128 + threadIdx.x;
    out[i] = in[i] * (float)memory.place;
}

void run(const float *in, float *out)
{
    scale<<<4, 128>>>(in, out);
}
