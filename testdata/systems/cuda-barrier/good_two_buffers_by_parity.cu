// The same with a count of one: only the thread that issues the copies arrives, the others wait by
// parity.
#include <cuda/barrier>
#include <cuda/ptx>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void load_both(const int *whole, const double *real, double *out)
{
    constexpr int tile = 128;
    __shared__ alignas(16) int left[tile];
    __shared__ alignas(16) double right[tile];
    __shared__ block_barrier loaded, again;
    if (threadIdx.x == 0) {
        init(&loaded, 1);
        init(&again, 1);
        cuda::device::memcpy_async_tx(left, whole, cuda::aligned_size_t<16>(sizeof(left)), loaded);
        cuda::device::memcpy_async_tx(right, real, cuda::aligned_size_t<16>(sizeof(right)), again);
        (void)cuda::device::barrier_arrive_tx(loaded, 1, sizeof(left));
        (void)cuda::device::barrier_arrive_tx(again, 1, sizeof(right));
    }
    __syncthreads();
    loaded.wait_parity(0);
    while (!cuda::ptx::mbarrier_try_wait_parity(cuda::device::barrier_native_handle(again), 0)) {
    }
    out[threadIdx.x] = left[threadIdx.x] * right[tile - 1 - threadIdx.x];
}

void launch(const int *whole, const double *real, double *out)
{
    load_both<<<1, 128>>>(whole, real, out);
}
