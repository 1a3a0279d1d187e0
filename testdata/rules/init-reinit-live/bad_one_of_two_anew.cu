// One of two barriers is initialised anew with each tile: who is late with it comes late to all.
#include <cstdint>
#include <cuda_awbarrier_primitives.h>
#include <cuda_runtime.h>

template <int Warps, int Cols>
struct Layout {
    static constexpr size_t kTile = Warps * Cols * sizeof(float);
    static constexpr size_t kCounts = Warps * sizeof(int);
    static constexpr size_t kBars = (kTile + kCounts + 7) / 8 * 8;
    static constexpr size_t kBytes = kBars + 2 * sizeof(__mbarrier_t);
};

#define WAIT_ON(bar, token) \
    do {                    \
    } while (!__mbarrier_try_wait((bar), (token), 1000))

template <int Warps, int Cols>
__global__ void __launch_bounds__(Warps * 32) column_stats(const float *__restrict__ x, float *__restrict__ mean, int *__restrict__ zeros, int tiles) {
    extern __shared__ __align__(16) unsigned char dyn[];
    using L = Layout<Warps, Cols>;
    float *tile = reinterpret_cast<float *>(dyn);
    int *counts = reinterpret_cast<int *>(dyn + L::kTile);
    __mbarrier_t *bars = reinterpret_cast<__mbarrier_t *>(dyn + L::kBars);
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x < 2)
        __mbarrier_init(&bars[threadIdx.x], Warps * 32);
    __syncthreads();
    for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
        int none = 0;
        if (threadIdx.x == 0)
            __mbarrier_init(&bars[1], Warps * 32); // expect: init-reinit-live
        for (int i = lane; i < Cols; i += 32) {
            const float v = x[(size_t(t) * Warps + warp) * Cols + i];
            tile[warp * Cols + i] = v;
            none += v == 0.f;
        }
        none = __reduce_add_sync(0xffffffffu, none);
        if (lane == 0)
            counts[warp] = none;
        const __mbarrier_token_t stored = __mbarrier_arrive(&bars[0]);
        WAIT_ON(&bars[0], stored);
        for (int c = threadIdx.x; c < Cols; c += Warps * 32) {
            float s = 0.f;
            for (int w = 0; w < Warps; ++w)
                s += tile[w * Cols + c];
            mean[size_t(t) * Cols + c] = s / Warps;
        }
        if (threadIdx.x == 0) {
            int sum = 0;
            for (int w = 0; w < Warps; ++w)
                sum += counts[w];
            zeros[t] = sum;
        }
        const __mbarrier_token_t read = __mbarrier_arrive(&bars[1]);
        WAIT_ON(&bars[1], read);
    }
    __syncthreads();
    if (threadIdx.x < 2)
        __mbarrier_inval(&bars[threadIdx.x]);
    __syncthreads();
    int *raw = reinterpret_cast<int *>(bars);
    if (threadIdx.x < 4)
        raw[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0)
        zeros[tiles + blockIdx.x] = raw[3];
}

void run_column_stats(const float *x, float *mean, int *zeros, int tiles, cudaStream_t stream) {
    using L = Layout<7, 64>;
    column_stats<7, 64><<<128, 7 * 32, L::kBytes, stream>>>(x, mean, zeros, tiles);
}
