// Twice as many threads are taken where each of them does less, and this launch is of those that
// do more.
constexpr int most = 128;

__global__ void __launch_bounds__(most) scale(float *data, int width, float factor)
{
    const int at = (blockIdx.x * blockDim.y + threadIdx.y) * width + threadIdx.x;
    for (int i = threadIdx.x; i < width; i += 32)
        data[at] *= factor;
}

__global__ void scale_few(float *data, int width, float factor)
{
    data[(blockIdx.x * blockDim.y + threadIdx.y) * width + threadIdx.x] *= factor;
}

void run(float *data, int rows, int width, int channels, float factor)
{
    const int each = width % 128 == 0 ? 4 : width % 64 == 0 ? 2 : 1;
    int deep = 4;
    if (channels > 3)
        deep = channels % 8 == 0 && rows % 128 == 0 && each != 4 ? 8 : 4;
    dim3 threads(32, deep);
    dim3 blocks((rows + threads.y - 1) / threads.y);
    if (channels % 8 == 0) {
        if (width % 128 == 0) {
            if (rows % 128 == 0)
                scale<<<blocks, threads>>>(data, width, factor);
        } else {
            scale_few<<<blocks, threads>>>(data, width, factor);
        }
    }
}
