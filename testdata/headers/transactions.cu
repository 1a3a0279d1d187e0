// What cuda::barrier gained with CUDA 12: byte counts, parities, timed waits.
// since: 12.0
#include <cuda/barrier>

using bar_t = cuda::barrier<cuda::thread_scope_block>;

__global__ void kernel(const int *in)
{
    __shared__ bar_t b;
    __shared__ alignas(16) int tile[64];
    if (threadIdx.x == 0) {
        init(&b, 1);
        cuda::device::barrier_expect_tx(b, 64);
        cuda::device::memcpy_async_tx(tile, in, cuda::aligned_size_t<16>(64), b);
        auto token = cuda::device::barrier_arrive_tx(b, 1, 64);
        b.wait(static_cast<bar_t::arrival_token &&>(token));
    }
    b.wait_parity(true);
    (void)b.try_wait_for(b.arrive(), cuda::std::chrono::microseconds(1));
    (void)b.try_wait_until(b.arrive(), cuda::std::chrono::system_clock::now());
    (void)b.try_wait_parity_for(false, cuda::std::chrono::nanoseconds(1));
    (void)b.try_wait_parity_until(true, cuda::std::chrono::system_clock::now());
    unsigned long long *raw =
        reinterpret_cast<unsigned long long *>(cuda::device::barrier_native_handle(b));
    raw[0] = 0;
}
