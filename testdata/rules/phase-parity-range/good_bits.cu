// Phases of two barriers kept in one word; the bit becomes a bool whatever its place.
#include <cuda/barrier>
#include <utility>

using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void ring(float *data)
{
    __shared__ barrier step[2];
    if (threadIdx.x == 0) {
        init(&step[0], blockDim.x);
        init(&step[1], blockDim.x);
    }
    __syncthreads();
    unsigned phases = 0;
    for (int i = 0; i < 8; ++i) {
        int stage = i % 2;
        data[threadIdx.x] += 0.5f * data[threadIdx.x];
        (void)step[stage].arrive();
        step[stage].wait_parity(phases & (1u << stage));
        phases ^= 1u << stage;
    }
}

void run(float *data)
{
    ring<<<1, 128>>>(data);
}
