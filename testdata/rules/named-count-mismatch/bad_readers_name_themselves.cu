// The reader's wait for the tile names the readers alone, and the loader's arrival names all: that
// both come round again too early follows from it.
#include <cuda_runtime.h>

enum slot { TILE_LOADED = 1, TILE_READ = 2 };

struct crossing {
    unsigned threads;
    __device__ void arrive(slot at) const
    {
        asm volatile("bar.arrive %0, %1;" ::"r"(int(at)), "r"(threads) : "memory");
    }
    __device__ void wait(slot at) const
    {
        asm volatile("bar.sync %0, %1;" ::"r"(int(at)), "r"(threads) : "memory");
    }
};

__global__ void __launch_bounds__(96) double_up(const float *in, float *out, int tiles)
{
    __shared__ float tile[64];
    const crossing all{96}, readers{64};
    if (threadIdx.x >= 64) {
        for (int i = 0; i < tiles; ++i) {
            all.wait(TILE_READ);
            for (int k = threadIdx.x - 64; k < 64; k += 32)
                tile[k] = in[i * 64 + k];
            all.arrive(TILE_LOADED);
        }
    } else {
        for (int i = 0; i < tiles; ++i) {
            all.arrive(TILE_READ);
            readers.wait(TILE_LOADED); // expect: named-count-mismatch
            out[i * 64 + threadIdx.x] = 2.0f * tile[63 - threadIdx.x];
        }
    }
}

void run(const float *in, float *out, int tiles)
{
    double_up<<<1, 96>>>(in, out, tiles);
}
