// A particle whose charge is negative leaves by a helper, which takes its arrivals along.
#include <cuda_awbarrier_primitives.h>

__device__ __forceinline__ void leave(__mbarrier_t *barrier)
{
    __mbarrier_arrive_and_drop(barrier);
    asm volatile("exit;");
}

__global__ void move_particles(const int *charge, float *at, int steps)
{
    __shared__ __mbarrier_t moved;
    __shared__ int own[64];
    if (threadIdx.x == 0)
        __mbarrier_init(&moved, 64);
    __syncthreads();
    own[threadIdx.x] = charge[threadIdx.x];
    for (int step = 0; step < steps; ++step) {
        if (own[threadIdx.x] < 0)
            leave(&moved);
        at[threadIdx.x] += 0.5f;
        __mbarrier_token_t token = __mbarrier_arrive(&moved);
        while (!__mbarrier_try_wait(&moved, token, 1000)) {
        }
    }
}

void run(const int *charge, float *at, int steps)
{
    move_particles<<<1, 64>>>(charge, at, steps);
}
