// A tile of results in registers, found by helpers that return a position by value and worked on by
// a function given by its address; the store of the tile before has been read when this one is put
// down.
#include <cstdint>

#include <cuda_runtime.h>

struct position {
    int row, column;

    __device__ position(int row, int column) : row(row), column(column)
    {
    }
};

__device__ position split(int const &at, int const &width)
{
    return position(at / width, at % width);
}

struct tile {
    float *data;

    __device__ float &operator()(int const &at) const
    {
        position p = split(at, 8);
        return data[p.row * 8 + p.column];
    }
};

__device__ void add(float &a, float &b, float &c, float &d, float by)
{
    a += by;
    b += by;
    c += by;
    d += by;
}

template <class Fn> __device__ void apply(Fn fn, tile const &t, int at, float by)
{
    fn(t(at), t(at + 1), t(at + 2), t(at + 3), by);
}

__global__ void sums(float const *in, float *out, int tiles)
{
    __shared__ alignas(128) float staged[128 * 32];
    for (int at = blockIdx.x; at < tiles; at += gridDim.x) {
        float mine[32];
        tile t{mine};
        for (int i = 0; i < 32; ++i)
            t(i) = 0;
        for (int k = 0; k < 128; ++k) {
            for (int i = 0; i < 32; i += 4)
                apply(add, t, i, in[(at * 128 + k) * 128 + threadIdx.x]);
        }
        if (threadIdx.x == 0)
            asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
        __syncthreads();
        for (int i = 0; i < 32; ++i)
            staged[threadIdx.x * 32 + i] = t(i);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        if (threadIdx.x == 0) {
            uint32_t from = (uint32_t)__cvta_generic_to_shared(staged);
            asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(
                             out + at * 128 * 32),
                         "r"(from), "r"(128 * 32 * 4)
                         : "memory");
            asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        }
    }
    if (threadIdx.x == 0)
        asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

void launch(float const *in, float *out, int tiles)
{
    sums<<<132, 128>>>(in, out, tiles);
}
