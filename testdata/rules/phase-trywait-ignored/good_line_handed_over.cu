// Both halves work on lines that a function of their own is handed; who waits asks, rests and asks
// again. One more question comes before, of which nothing but the number of waits is made.
#include <cstdint>
#include <cuda/ptx>

struct lines {
    uint64_t stored[2];
    float line[2][128];
    int waits;
};

__device__ void rest_until(uint64_t *stored, uint32_t parity)
{
    while (!cuda::ptx::mbarrier_try_wait_parity(stored, parity))
        __nanosleep(40);
}

__device__ void store(lines &shared, const float *in, int rounds)
{
    for (int i = 0; i < rounds; ++i) {
        shared.line[i & 1][threadIdx.x] = in[i * 128 + threadIdx.x];
        cuda::ptx::mbarrier_arrive(&shared.stored[i & 1]);
        __syncthreads();
    }
}

__device__ float sum(lines &shared, int rounds)
{
    float total = 0.f;
    for (int i = 0; i < rounds; ++i) {
        if (!cuda::ptx::mbarrier_try_wait_parity(&shared.stored[i & 1], i >> 1 & 1))
            atomicAdd(&shared.waits, 1);
        rest_until(&shared.stored[i & 1], i >> 1 & 1);
        total += shared.line[i & 1][threadIdx.x - 128];
        __syncthreads();
    }
    return total;
}

__global__ void __launch_bounds__(256) add_lines(const float *in, float *out, int rounds)
{
    __shared__ lines shared;
    if (threadIdx.x < 2)
        cuda::ptx::mbarrier_init(&shared.stored[threadIdx.x], 128);
    if (threadIdx.x == 0)
        shared.waits = 0;
    __syncthreads();
    if (threadIdx.x < 128)
        store(shared, in, rounds);
    else
        out[threadIdx.x - 128] = sum(shared, rounds);
    __syncthreads();
    if (threadIdx.x == 0)
        out[128] = shared.waits;
}

void run(const float *in, float *out, int rounds)
{
    add_lines<<<1, 256>>>(in, out, rounds);
}
