// The carver rounds up to the alignment of what it hands out.
#include <cstdint>
#include <cuda_runtime.h>

struct Carver {
    unsigned char *base;
    unsigned used;

    template <typename T>
    __device__ T *take(int count)
    {
        used = (used + alignof(T) - 1) / alignof(T) * alignof(T);
        T *result = reinterpret_cast<T *>(base + used);
        used += count * sizeof(T);
        return result;
    }
};

__device__ inline void barrier_init(uint64_t *barrier, unsigned arrivals)
{
    unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(barrier));
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address), "r"(arrivals));
}

__global__ void row_sums(const float *in, float *out)
{
    extern __shared__ __align__(16) unsigned char raw[];
    Carver carver{raw, 0};
    float *row = carver.take<float>(33);
    uint64_t *full = carver.take<uint64_t>(1);
    if (threadIdx.x == 0)
        barrier_init(full, blockDim.x);
    __syncthreads();
    row[threadIdx.x % 33] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = row[0];
}

void run(const float *in, float *out)
{
    row_sums<<<1, 128, 256>>>(in, out);
}
