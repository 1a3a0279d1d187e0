// In a two-dimensional block threadIdx.x == 0 holds for a whole column of threads.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

template <int Side>
__global__ void blur(const float *__restrict__ in, float *__restrict__ out, int width)
{
    __shared__ uint64_t loaded;
    __shared__ float tile[Side][Side + 1];
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&loaded, Side * Side); // expect: init-by-many
    }
    __syncthreads();
    const int at = (blockIdx.y * Side + threadIdx.y) * width + blockIdx.x * Side + threadIdx.x;
    tile[threadIdx.y][threadIdx.x] = in[at];
    ptx::mbarrier_arrive(&loaded);
    while (!ptx::mbarrier_try_wait_parity(&loaded, 0)) {
    }
    const int right = (threadIdx.x + 1) % Side, below = (threadIdx.y + 1) % Side;
    out[at] = 0.25f * (tile[threadIdx.y][threadIdx.x] + tile[threadIdx.y][right] +
                       tile[below][threadIdx.x] + tile[below][right]);
}

void run(const float *in, float *out, int width)
{
    blur<32><<<dim3(width / 32, width / 32), dim3(32, 32)>>>(in, out, width);
}
