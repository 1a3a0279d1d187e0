// One warp passes the barrier by; those who wait for it elsewhere wait for the same reason.
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
enum Role { kLoad,
            kScale,
            kStore };
__device__ Role role() {
    const int w = __shfl_sync(0xffffffff, threadIdx.x / 32, 0);
    return w < 2 ? kLoad : w < 6 ? kScale
                                 : kStore;
}
__global__ void __launch_bounds__(256) three(const float *in, float *out, int n) {
    __shared__ float a[64], b[128];
    const Role r = role();
    for (int i = 0; i < n; ++i) {
        switch (r) {
        case kLoad:
            a[threadIdx.x] = in[i * 64 + threadIdx.x];
            bars::slot<1>::meet(192);
            break;
        case kScale:
            bars::slot<1>::meet(192);
            b[threadIdx.x - 64] = a[(threadIdx.x - 64) / 2] * 2.f;
            if (threadIdx.x < 160)
                bars::slot<2>::meet(192); // expect: named-participants
            break;
        case kStore:
            bars::slot<2>::meet(192);
            for (int k = threadIdx.x - 192; k < 128; k += 64)
                out[i * 128 + k] = b[k];
            break;
        }
        __syncthreads();
    }
}
void launch(const float *a, float *b, int n) { three<<<1, 256>>>(a, b, n); }
