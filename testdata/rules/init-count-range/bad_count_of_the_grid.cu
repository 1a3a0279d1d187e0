// Those who come to one block's barrier are not those of the grid; that they are too few is told
// with the number.
#include <cuda_awbarrier_primitives.h>
#include <cuda_runtime.h>

enum { BLOCKS = 128, THREADS = 256 };

__global__ void shift(const float *in, float *out)
{
    __shared__ __mbarrier_t stored;
    __shared__ float line[THREADS];
    if (threadIdx.x == 0)
        __mbarrier_init(&stored, BLOCKS * THREADS); // expect: init-count-range
    __syncthreads();
    line[threadIdx.x] = in[blockIdx.x * THREADS + threadIdx.x];
    __mbarrier_token_t token = __mbarrier_arrive(&stored);
    while (!__mbarrier_try_wait(&stored, token, 1000)) {
    }
    out[blockIdx.x * THREADS + threadIdx.x] = line[(threadIdx.x + 1) % THREADS];
}

void launch(const float *in, float *out)
{
    shift<<<BLOCKS, THREADS>>>(in, out);
}
