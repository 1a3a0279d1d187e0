// As many threads as there are elements, where they fit into few blocks: what the floating numbers
// come to is more than a block can have.
#include <algorithm>
#include <cmath>
#include <cuda_runtime.h>

__global__ void scale(float *x, float by)
{
    x[blockIdx.x * blockDim.x + threadIdx.x] *= by;
}

static void scale_all(float *x, int n, float by)
{
    const int blocks = std::max(1, (int)std::ceil(n / 4096.0));
    if (blocks > 1)
        scale<<<16 * blocks, 256>>>(x, by);
    else
        scale<<<1, n>>>(x, by); // expect: launch-block-size
}

static void scale_halves(float *x, int n, float by)
{
    scale<<<2, (unsigned)std::floor(n * 0.5)>>>(x, by); // expect: launch-block-size
}

void run(float *x)
{
    scale_all(x, 2048, 2.0f);
    scale_halves(x, 8192, 2.0f);
}
