#include <cuda/barrier>
#include <utility>

__global__ void transpose(const float *__restrict__ in, float *__restrict__ out, int width)
{
    __shared__ float tile[16][17];
    __shared__ cuda::barrier<cuda::thread_scope_block> loaded;
    const int x = threadIdx.x, y = threadIdx.y;
    if (x == 0 && y == 0)
        init(&loaded, blockDim.x * blockDim.y); // expect: init-no-sync
    tile[y][x] = in[(blockIdx.y * 16 + y) * width + blockIdx.x * 16 + x];
    auto token = loaded.arrive();
    loaded.wait(std::move(token));
    out[(blockIdx.x * 16 + y) * width + blockIdx.y * 16 + x] = tile[x][y];
}

void run(const float *in, float *out, int width)
{
    transpose<<<dim3(width / 16, width / 16), dim3(16, 16)>>>(in, out, width);
}
