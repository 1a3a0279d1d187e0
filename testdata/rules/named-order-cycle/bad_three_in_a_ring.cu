// Three warps pass a token round, and nobody begins.
#include <cuda_runtime.h>

template <int Stations>
__global__ void pass_round(float *data)
{
    const int warp = threadIdx.x / 32;
    const int mine = 1 + warp, next = 1 + (warp + 1) % Stations;
    for (int r = 0; r < 4; ++r) {
        asm volatile("bar.sync %0, 64;" ::"r"(mine) : "memory"); // expect: named-order-cycle
        data[warp * 32 + threadIdx.x % 32] += r;
        asm volatile("bar.arrive %0, 64;" ::"r"(next) : "memory");
    }
}

void run(float *data)
{
    pass_round<3><<<1, 96>>>(data);
}
