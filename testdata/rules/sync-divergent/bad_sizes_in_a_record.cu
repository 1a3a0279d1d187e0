// The rows of a record are as many as the caller says, the blocks are rounded up: in the last one
// some threads stay outside.
#include <cuda_runtime.h>
#include <stdexcept>

struct Extents {
    int rows, width;
};

struct Work {
    float *out;
    const float *in;
    Extents extents;
};

__global__ void mirror(const __grid_constant__ Work work)
{
    __shared__ float held[128];
    int row = blockIdx.x * 128 + threadIdx.x;
    if (row < work.extents.rows) {
        held[threadIdx.x] = work.in[row];
        __syncthreads(); // expect: sync-divergent
        work.out[row] = held[threadIdx.x ^ 64] * work.extents.width;
    }
}

__global__ void mirror_some(Work work)
{
    __shared__ float held[128];
    if (threadIdx.x < work.extents.rows) {
        held[threadIdx.x] = work.in[threadIdx.x];
        __syncthreads(); // expect: sync-divergent
        work.out[threadIdx.x] = held[threadIdx.x ^ 1];
    }
}

void run(float *out, const float *in, int rows)
{
    if (rows % 64 != 0)
        throw std::runtime_error("rows come in tiles of 64");
    Work work = {out, in, {rows, 4}};
    mirror<<<(rows + 127) / 128, 128>>>(work);
    work.extents.rows = 96;
    mirror_some<<<1, 128>>>(work);
}
