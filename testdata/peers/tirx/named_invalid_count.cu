// kind: named: invalid count
#include "../ptx.cuh"

__global__ void tried(float *cell)
{
    named_sync(1, 40); // expect: named-count-multiple
    cell[threadIdx.x] += 1;
}

void launch(float *cell)
{
    tried<<<1, 128>>>(cell);
}
