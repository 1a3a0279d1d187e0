// One block where the data fit into it; how many it takes is counted in floating numbers.
#include <algorithm>
#include <cmath>
#include <cuda_runtime.h>

__global__ void scale(float *x, float by)
{
    x[blockIdx.x * blockDim.x + threadIdx.x] *= by;
}

static void scale_all(float *x, int n, float by)
{
    const unsigned most = 256;
    const int blocks = std::max(1, (int)std::ceil(n / (2.0f * most)));
    if (blocks > 1)
        scale<<<2 * blocks, most>>>(x, by);
    else
        scale<<<1, n>>>(x, by);
}

static void scale_halves(float *x, int n, float by)
{
    const double halves = std::floor(n * 0.5);
    if (halves <= 512.0)
        scale<<<2, (unsigned)halves>>>(x, by);
    else
        scale<<<(unsigned)(halves / 64), 128>>>(x, by);
}

void run(float *x)
{
    scale_all(x, 131072, 2.0f);
    scale_halves(x, 8192, 2.0f);
}
