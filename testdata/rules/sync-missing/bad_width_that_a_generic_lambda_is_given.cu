// The lambda for any type of data takes the kernel of the width that its function has found: that
// of two warps, which a barrier of the warp does not order.
#include <cuda_runtime.h>

template <typename T> __global__ void smooth(T *data, int depth)
{
    __shared__ T row[128];
    for (int i = threadIdx.x; i < depth; i += blockDim.x)
        row[i] = data[blockIdx.x * depth + i];
    __syncwarp();
    for (int i = threadIdx.x; i < depth; i += blockDim.x)
        data[blockIdx.x * depth + i] = row[i] + row[(i + 1) % depth]; // expect: sync-missing
}

template <typename T> void launch(T *data, int rows, int depth, int width)
{
    smooth<T><<<rows, width>>>(data, depth);
}

void run(void *data, bool whole, int rows, int depth)
{
    int width = 64;
    const auto go = [&](auto kind) {
        using T = decltype(kind);
        if (depth == 128)
            launch<T>((T *)data, rows, depth, width);
        else if (depth == 64)
            launch<T>((T *)data, rows, depth, width);
    };
    if (whole)
        go(1);
    else
        go(1.0f);
}
