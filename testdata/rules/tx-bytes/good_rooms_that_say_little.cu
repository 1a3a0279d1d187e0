// Kernels whose maps come from elsewhere, and whose places look longer or shorter than they are: a
// ring that has not come round yet, one whose barriers are made anew for each pass, one copy that
// packs boxes of two sizes, and boxes the last of which has rows in common with the one before.
#include <cstdint>
#include <cuda.h>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int part = 2048, wide = 128;

struct two {
    alignas(1024) unsigned short left[3][part];
    alignas(1024) unsigned short right[3][part];
};

__device__ void await(uint64_t *bar, uint32_t parity)
{
    while (!ptx::mbarrier_try_wait_parity(bar, parity)) {
    }
}

__device__ void fetch(void *to, const CUtensorMap *map, uint64_t *bar, int column, int row)
{
    const int32_t at[2] = {column, row};
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, to, map, at, bar);
}

__device__ void announce(uint64_t *bar, uint32_t bytes)
{
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, bar, bytes);
}

__device__ void make(uint64_t *bar, int count)
{
    for (int i = 0; i < count; ++i)
        ptx::mbarrier_init(&bar[i], 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
}

__global__ void three_steps(const __grid_constant__ CUtensorMap left,
                            const __grid_constant__ CUtensorMap right, unsigned *out)
{
    __shared__ two tile;
    __shared__ uint64_t full[3];
    if (threadIdx.x == 0)
        make(full, 3);
    __syncthreads();
    for (int step = 0; threadIdx.x == 0 && step < 3; ++step) {
        announce(&full[step], sizeof tile.left[0] + sizeof tile.right[0]);
        fetch(tile.left[step], &left, &full[step], step, blockIdx.x);
        fetch(tile.right[step], &right, &full[step], step, blockIdx.x);
    }
    unsigned sum = 0;
    for (int step = 0; step < 3; ++step) {
        await(&full[step], 0);
        sum += tile.left[step][threadIdx.x] + tile.right[step][threadIdx.x];
    }
    out[blockIdx.x * wide + threadIdx.x] = sum;
}

__global__ void two_passes(const __grid_constant__ CUtensorMap left,
                           const __grid_constant__ CUtensorMap right, unsigned *out)
{
    __shared__ two tile;
    __shared__ uint64_t full[2];
    unsigned sum = 0;
    for (int pass = 0; pass < 2; ++pass) {
        if (threadIdx.x == 0) {
            for (int i = 0; pass && i < 2; ++i)
                asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(
                                 static_cast<uint32_t>(__cvta_generic_to_shared(&full[i])))
                             : "memory");
            make(full, 2);
        }
        __syncthreads();
        for (int step = 0; step < 4; ++step) {
            const int stage = step % 2;
            if (threadIdx.x == 0) {
                announce(&full[stage], sizeof tile.left[0] + sizeof tile.right[0]);
                fetch(tile.left[stage], &left, &full[stage], step, pass);
                fetch(tile.right[stage], &right, &full[stage], step, pass);
            }
            await(&full[stage], step / 2 & 1);
            sum += tile.left[stage][threadIdx.x] + tile.right[stage][threadIdx.x];
            __syncthreads();
        }
    }
    out[blockIdx.x * wide + threadIdx.x] = sum;
}

__global__ void packed(const __grid_constant__ CUtensorMap large,
                       const __grid_constant__ CUtensorMap small, const int *kind, unsigned *out,
                       int items)
{
    extern __shared__ __align__(1024) unsigned char raw[];
    __shared__ uint64_t full[2];
    if (threadIdx.x == 0)
        make(full, 2);
    __syncthreads();
    unsigned sum = 0;
    for (int item = 0; item < items; ++item) {
        const bool is_large = kind[item] == 1;
        const int bytes = is_large ? 4 * part : part;
        for (int half = 0; half < 2; ++half) {
            if (threadIdx.x == 0) {
                announce(&full[half], bytes);
                fetch(raw + half * bytes, is_large ? &large : &small, &full[half], half, item);
            }
        }
        for (int half = 0; half < 2; ++half) {
            await(&full[half], item & 1);
            sum += raw[half * bytes + threadIdx.x];
        }
        __syncthreads();
    }
    out[blockIdx.x * wide + threadIdx.x] = sum;
}

__global__ void last_box_moved_back(const __grid_constant__ CUtensorMap box, unsigned *out)
{
    constexpr int rows = 40, tall = 16;
    __shared__ alignas(128) unsigned char tile[rows * wide];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        make(&full, 1);
        announce(&full, 3 * tall * wide);
        for (int i = 0; i < 3; ++i) {
            const int row = i * tall > rows - tall ? rows - tall : i * tall;
            fetch(tile + row * wide, &box, &full, 0, blockIdx.x * rows + row);
        }
    }
    __syncthreads();
    await(&full, 0);
    unsigned sum = 0;
    for (int row = 0; row < rows; ++row)
        sum += tile[row * wide + threadIdx.x];
    out[blockIdx.x * wide + threadIdx.x] = sum;
}

void run(const CUtensorMap &left, const CUtensorMap &right, const int *kind, unsigned *out,
         int items)
{
    three_steps<<<64, wide>>>(left, right, out);
    two_passes<<<64, wide>>>(left, right, out);
    packed<<<64, wide, 8 * part>>>(left, right, kind, out, items);
    last_box_moved_back<<<64, wide>>>(left, out);
}
