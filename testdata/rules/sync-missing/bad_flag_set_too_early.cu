// The flag is set before the data are stored: who waits for it may read what was there before.
#include <cuda/atomic>
#include <cuda_runtime.h>

__global__ void scaled(const float *in, float *out)
{
    __shared__ float scale;
    __shared__ cuda::atomic<int, cuda::thread_scope_block> ready;
    if (threadIdx.x == 0)
        ready.store(0, cuda::memory_order_relaxed);
    __syncthreads();
    if (threadIdx.x == 0) {
        ready.store(1, cuda::memory_order_release);
        scale = in[0];
    } else {
        while (ready.load(cuda::memory_order_acquire) == 0)
            ;
        out[threadIdx.x] = in[threadIdx.x] * scale; // expect: sync-missing
    }
}

void launch(const float *in, float *out)
{
    scaled<<<1, 64>>>(in, out);
}
