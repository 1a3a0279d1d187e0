// cuda::barrier: construction, members, copies.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/std/barrier>
#include <cuda/std/utility>
#include <utility>

using bar_t = cuda::barrier<cuda::thread_scope_block>;
static_assert(sizeof(bar_t) == 8, "an mbarrier is one word");

struct Completion {
    int *counter;
    __host__ __device__ void operator()() noexcept
    {
        ++*counter;
    }
};

struct Stage {
    bar_t full, empty;
    alignas(16) float data[64];
};

template <int stages> __device__ void ring(float *out)
{
    __shared__ bar_t ready[stages];
    __shared__ Stage stage[stages];
    if (threadIdx.x < stages) {
        init(&ready[threadIdx.x], blockDim.x);
        init(&stage[threadIdx.x].full, 1);
    }
    __syncthreads();
    for (int i = 0; i < 2 * stages; ++i) {
        ready[i % stages].arrive_and_wait();
    }
    out[0] = stage[0].data[1];
}

__global__ void kernel(float *out, const float *in)
{
    __shared__ bar_t b;
    __shared__ alignas(16) float tile[256];
    __shared__ cuda::barrier<cuda::thread_scope_device> wide;
    if (threadIdx.x == 0) {
        init(&b, blockDim.x);
        init(&wide, 4);
    }
    __syncthreads();
    bar_t::arrival_token token;
    token = b.arrive();
    b.wait(cuda::std::move(token));
    auto second = b.arrive(2);
    b.wait(std::move(second));
    b.wait(b.arrive());
    b.arrive_and_wait();
    b.arrive_and_drop();
    out[0] = bar_t::max();
    auto group = cooperative_groups::this_thread_block();
    cuda::memcpy_async(tile, in, sizeof(float), b);
    cuda::memcpy_async(tile, in, cuda::aligned_size_t<16>(16), b);
    cuda::memcpy_async(group, tile, in, sizeof tile, b);
    cuda::memcpy_async(group, tile, in, cuda::aligned_size_t<16>(sizeof tile), b);
    b.~bar_t();
    new (&b) bar_t(32);
    ring<2>(out);
    cuda::barrier<cuda::thread_scope_thread> own(1);
    own.arrive_and_wait();
    cuda::barrier<cuda::thread_scope_thread, Completion> completing(1, Completion{nullptr});
    completing.arrive_and_wait();
    extern __shared__ unsigned char dynamic[];
    bar_t *laid = reinterpret_cast<bar_t *>(dynamic);
    init(laid + 1, 3);
    laid[1].arrive_and_wait();
}

__global__ void system_wide(cuda::std::barrier<> *b)
{
    b->arrive_and_wait();
}
