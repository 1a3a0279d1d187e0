// Each group waits for its turn, which the other gives behind its own: nobody gives the first.
#include <cuda_runtime.h>
// Named barriers of the block; slot 0 stays with __syncthreads.
namespace bars {
template <int Slot>
struct slot {
    static_assert(Slot > 0 && Slot < 16, "");
    __device__ static void meet(int threads) { asm volatile("barrier.cta.sync.aligned %0, %1;" ::"n"(Slot), "r"(threads)
                                                            : "memory"); }
    __device__ static void tell(int threads) { asm volatile("barrier.cta.arrive.aligned %0, %1;" ::"n"(Slot), "r"(threads)
                                                            : "memory"); }
};
__device__ inline void meet(int id, int threads) { asm volatile("barrier.sync.aligned %0, %1;" ::"r"(id), "r"(threads)
                                                                : "memory"); }
__device__ inline void tell(int id, int threads) { asm volatile("barrier.arrive.aligned %0, %1;" ::"r"(id), "r"(threads)
                                                                : "memory"); }
} // namespace bars
struct Order {
    static constexpr int kThreads = 256;
    __device__ static void take(int wg) { bars::meet(1 + wg, kThreads); }
    __device__ static void give(int wg) { bars::tell(1 + (wg ^ 1), kThreads); }
};
__global__ void __launch_bounds__(256) pingpong(const float *in, float *out, int n) {
    __shared__ float acc[128];
    const int wg = __shfl_sync(~0u, threadIdx.x / 128, 0), me = threadIdx.x % 128;
    if (wg == 0)
        acc[me] = 0.f;
    __syncthreads();
    // the first turn belongs to group 0
    for (int i = wg; i < 2 * n; i += 2) {
        Order::take(wg); // expect: named-order-cycle
        acc[me] += in[i * 128 + me];
        if (i + 1 < 2 * n)
            Order::give(wg);
    }
    __syncthreads();
    if (wg == 0)
        out[me] = acc[me];
}
void launch(const float *a, float *b, int n) { pingpong<<<1, 256>>>(a, b, n); }
