// Everybody comes to the first phase, one thread fewer to the second: no data decides it.
#include <cuda/barrier>

__global__ void shift(float *row)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> stored;
    __shared__ float line[128];
    if (threadIdx.x == 0)
        init(&stored, 128);
    __syncthreads();
    line[threadIdx.x] = row[threadIdx.x];
    stored.arrive_and_wait();
    if (threadIdx.x != 127) {
        row[threadIdx.x] = line[threadIdx.x + 1];
        stored.arrive_and_wait(); // expect: arrive-divergent
        line[threadIdx.x] = row[threadIdx.x];
    }
}

void launch(float *row)
{
    shift<<<1, 128>>>(row);
}
