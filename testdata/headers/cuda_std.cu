// cuda::std and the rest of the cuda namespace that kernels use.
#include <cuda/annotated_ptr>
#include <cuda/atomic>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/chrono>
#include <cuda/std/cstddef>
#include <cuda/std/cstdint>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

__device__ cuda::atomic<int, cuda::thread_scope_device> counter;

template <typename T>
__device__ cuda::std::enable_if_t<cuda::std::is_integral<T>::value, T> only_integers(T v)
{
    return v;
}

__global__ void kernel(int *out)
{
    cuda::std::array<int, 4> a{1, 2, 3, 4};
    for (auto v : a) {
        out[0] += v;
    }
    cuda::std::tuple<int, float> t(1, 2.0f);
    out[1] = cuda::std::get<0>(t) + a[1];
    auto p = cuda::std::make_pair(1, 2);
    cuda::std::swap(p.first, p.second);
    out[2] = cuda::std::numeric_limits<int>::max() + only_integers(3);
    counter.fetch_add(1, cuda::memory_order_relaxed);
    cuda::atomic_ref<int, cuda::thread_scope_block> ref(out[3]);
    ref.fetch_add(1, cuda::std::memory_order_acq_rel);
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
    cuda::std::plus<int> plus;
    out[4] = plus(1, counter.load());
    static_assert(cuda::std::is_same<int, cuda::std::remove_const<const int>::type>::value, "");
    static_assert(sizeof(cuda::std::uint32_t) == 4, "");
    cuda::latch<cuda::thread_scope_thread> latch(1);
    latch.arrive_and_wait();
    cuda::counting_semaphore<cuda::thread_scope_thread, 4> semaphore(1);
    semaphore.acquire();
    semaphore.release();
    cuda::annotated_ptr<int, cuda::access_property::streaming> hinted(out);
    hinted[0] = 1;
}
