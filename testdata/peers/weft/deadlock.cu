// kind: two roles wait for each other on two barriers
#include "../ptx.cuh"

__global__ void tried(float *cell)
{
    if (threadIdx.x < 64) {
        named_sync(1, 128); // expect: named-order-cycle
        named_arrive(2, 128);
    } else {
        named_sync(2, 128); // expect: named-order-cycle
        named_arrive(1, 128);
    }
    cell[threadIdx.x] += 1;
}

void launch(float *cell)
{
    tried<<<1, 128>>>(cell);
}
