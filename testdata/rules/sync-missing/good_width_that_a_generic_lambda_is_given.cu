// The lambda for any type of data takes the kernel of the width that its function has found: that
// of one warp, which needs no barrier of the block.
#include <cuda_runtime.h>

template <typename T> __global__ void smooth(T *data, int depth)
{
    __shared__ T row[128];
    for (int i = threadIdx.x; i < depth; i += blockDim.x)
        row[i] = data[blockIdx.x * depth + i];
    __syncwarp();
    for (int i = threadIdx.x; i < depth; i += blockDim.x)
        data[blockIdx.x * depth + i] = row[i] + row[(i + 1) % depth];
}

struct image {
    void *data;
    bool whole, twice;
    int rows[2], columns;
};

template <typename T> void launch(const image &image, int depth, int width)
{
    if (depth == 128)
        smooth<T><<<image.rows[0], width>>>((T *)image.data, depth);
    else if (depth == 32)
        smooth<T><<<image.rows[1], width>>>((T *)image.data, depth);
}

void run(const image &image)
{
    const int depth = image.columns;
    int width = 1;
    while (width < image.rows[0] && width < 32)
        width *= 2;
    const bool is_warp = width == 32 && (depth == 32 || depth == 128);
    const auto go = [&](auto kind) {
        if (image.twice) {
            if (is_warp)
                launch<float>(image, depth, width);
        } else {
            if (is_warp)
                launch<int>(image, depth, width);
        }
    };
    if (image.whole)
        go(1);
    else
        go(1.0f);
}
