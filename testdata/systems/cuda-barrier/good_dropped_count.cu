// Who leaves drops: the count is one less for it from the next phase on.
#include <cuda/barrier>

__global__ void tournament(float *cell)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> round;
    __shared__ float best[128];
    if (threadIdx.x == 0)
        init(&round, 128);
    __syncthreads();
    best[threadIdx.x] = cell[threadIdx.x];
    for (int half = 64; half > 0; half /= 2) {
        if (threadIdx.x >= 2 * half) {
            round.arrive_and_drop();
            return;
        }
        round.arrive_and_wait();
        if (threadIdx.x < half)
            best[threadIdx.x] = fmaxf(best[threadIdx.x], best[threadIdx.x + half]);
    }
    if (threadIdx.x == 0)
        cell[0] = best[0];
}

void launch(float *cell)
{
    tournament<<<1, 128>>>(cell);
}
