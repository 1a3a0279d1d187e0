// Every warp keeps the largest values in a row of its own and looks at one of the row's elements,
// whose number is given. Warps that find something new go another way than those that do not.
#include <cuda_runtime.h>

constexpr int WARPS = 4, ROW = 32;

struct largest {
    float *row;
    int last, lane;
    float least;

    __device__ largest(float *rows, int count)
        : row(rows + threadIdx.x / 32 * ROW), last(count - 1), lane(threadIdx.x % 32)
    {
        row[lane] = -1e30f;
        __syncwarp();
        least = row[last];
        __syncwarp();
    }

    __device__ void add(float value)
    {
        if (__any_sync(0xffffffffu, value > least)) {
            row[lane] = fmaxf(row[lane], value);
            __syncwarp();
            least = row[last];
            __syncwarp();
        }
    }
};

__global__ void __launch_bounds__(WARPS * 32)
    select(const float *__restrict__ in, float *__restrict__ out, int length, int count)
{
    __shared__ float rows[WARPS * ROW];
    largest kept(rows, count);
    for (int i = threadIdx.x; i < length / 32 * 32; i += WARPS * 32)
        kept.add(in[blockIdx.x * length + i]);
    __syncthreads();
    for (int i = threadIdx.x; i < count; i += WARPS * 32)
        out[blockIdx.x * count + i] = rows[i];
}

void run(const float *in, float *out, int rows, int length, int count)
{
    if (count <= ROW)
        select<<<rows, WARPS * 32>>>(in, out, length, count);
}
