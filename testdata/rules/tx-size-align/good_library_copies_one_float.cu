// cuda::memcpy_async() takes any size: it uses a bulk copy only where one can be.
#include <cuda/barrier>
#include <utility>

using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void transpose(const float *in, float *out)
{
    __shared__ barrier stored;
    __shared__ float tile[32][33];
    if (threadIdx.x == 0)
        init(&stored, blockDim.x);
    __syncthreads();
    for (int row = 0; row < 32; ++row)
        cuda::memcpy_async(&tile[threadIdx.x][row], &in[row * 32 + threadIdx.x],
                           cuda::aligned_size_t<sizeof(float)>(sizeof(float)), stored);
    stored.arrive_and_wait();
    for (int row = 0; row < 32; ++row)
        out[row * 32 + threadIdx.x] = tile[row][threadIdx.x];
}

void run(const float *in, float *out)
{
    transpose<<<1, 32>>>(in, out);
}
