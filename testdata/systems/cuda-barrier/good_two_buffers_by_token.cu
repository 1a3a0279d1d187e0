// Two tiles by bulk copies; every thread arrives, the elected one with the bytes of both.
#include <cuda/barrier>
#include <cuda/std/utility>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__device__ bool elected()
{
    unsigned chosen;
    asm volatile("{\n\t.reg .pred p;\n\telect.sync _|p, 0xffffffff;\n\tselp.u32 %0, 1, 0, p;\n\t}"
                 : "=r"(chosen));
    return chosen != 0 && threadIdx.x < 32;
}

__global__ void load_both(const int *whole, const double *real, double *out)
{
    constexpr int tile = 256;
    __shared__ alignas(16) int left[tile];
    __shared__ alignas(16) double right[tile];
    __shared__ block_barrier loaded;
    if (elected())
        init(&loaded, blockDim.x);
    __syncthreads();
    block_barrier::arrival_token token;
    if (elected()) {
        cuda::device::memcpy_async_tx(left, whole, cuda::aligned_size_t<16>(sizeof(left)), loaded);
        cuda::device::memcpy_async_tx(right, real, cuda::aligned_size_t<16>(sizeof(right)), loaded);
        token = cuda::device::barrier_arrive_tx(loaded, 1, tile * (sizeof(int) + sizeof(double)));
    } else {
        token = loaded.arrive();
    }
    loaded.wait(cuda::std::move(token));
    out[threadIdx.x] = left[threadIdx.x] * right[tile - 1 - threadIdx.x];
}

void launch(const int *whole, const double *real, double *out)
{
    load_both<<<1, 256>>>(whole, real, out);
}
