// All threads go round alike: the table has 1,024 numbers, and the stride that stands in constant
// memory from the start is the block's 256 threads.
#include <cuda_runtime.h>

__constant__ unsigned short stride = 256;

__device__ void add_up(unsigned *table, unsigned size)
{
    for (unsigned step = 1; step <= size / 2; step *= 2) {
        for (int i = static_cast<int>(size - 1 - threadIdx.x); i >= 0; i -= stride) {
            unsigned sum = table[i];
            if (i >= static_cast<int>(step))
                sum += table[i - step];
            __syncthreads();
            table[i] = sum;
            __syncthreads();
        }
    }
}

__global__ void places_of(const unsigned *found, unsigned *place, unsigned bits)
{
    __shared__ unsigned table[1024];
    for (unsigned i = threadIdx.x; i < bits / 32; i += stride)
        table[i] = __popc(found[i]);
    __syncthreads();
    add_up(table, bits / 32);
    for (unsigned i = threadIdx.x; i < bits / 32; i += stride)
        place[i] = table[i];
}

void run(const unsigned *found, unsigned *place)
{
    places_of<<<1, 256>>>(found, place, 32768);
}
