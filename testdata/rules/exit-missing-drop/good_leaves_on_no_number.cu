// A value that differs from itself is no number: its thread drops out.
#include <cuda/barrier>

using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void iterate(float *data, int rounds)
{
    __shared__ barrier bar;
    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    for (int r = 0; r < rounds; ++r) {
        const float value = data[threadIdx.x];
        if (value != value) {
            bar.arrive_and_drop();
            return;
        }
        data[threadIdx.x] = value * 0.5f;
        bar.arrive_and_wait();
    }
}

void launch(float *data, int rounds)
{
    iterate<<<1, 128>>>(data, rounds);
}
