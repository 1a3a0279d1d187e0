// Each item goes to the least loaded bin. All have read its number when the next search writes there.
#include <cub/block/block_scan.cuh>

constexpr int BINS = 256;

__device__ int least_loaded(int *least, int load)
{
    int key = load * BINS + (int)threadIdx.x;
    for (int offset = 16; offset > 0; offset >>= 1)
        key = min(key, __shfl_xor_sync(0xffffffff, key, offset));
    if (threadIdx.x % 32 == 0)
        least[threadIdx.x / 32] = key;
    __syncthreads();
    if (threadIdx.x < 32) {
        key = threadIdx.x < BINS / 32 ? least[threadIdx.x] : 1 << 30;
        for (int offset = 16; offset > 0; offset >>= 1)
            key = min(key, __shfl_xor_sync(0xffffffff, key, offset));
        if (threadIdx.x == 0)
            least[0] = key;
    }
    __syncthreads();
    int bin = least[0] % BINS;
    __syncthreads();
    return bin;
}

__global__ void plan(const int *rows, const int *columns, int *first, int *bin, int tile, int count,
                     int layers)
{
    using Scan = cub::BlockScan<int, BINS>;
    __shared__ typename Scan::TempStorage temporary;
    __shared__ int least[32];
    int load = 0, items = 0;
    for (int layer = 0; layer < layers; ++layer)
        for (int i = 0; i < count; ++i) {
            int tiles = (rows[i] + tile - 1) / tile;
            for (int t = tiles - 1; t >= 0; --t)
                if (least_loaded(least, load) == (int)threadIdx.x) {
                    load += columns[i];
                    ++items;
                }
        }
    __syncthreads();
    int before = 0;
    Scan(temporary).ExclusiveSum(items, before);
    first[threadIdx.x] = before;
    load = items = 0;
    for (int layer = 0; layer < layers; ++layer)
        for (int i = 0; i < count; ++i) {
            int tiles = (rows[i] + tile - 1) / tile;
            for (int t = tiles - 1; t >= 0; --t)
                if (least_loaded(least, load) == (int)threadIdx.x) {
                    load += columns[i];
                    bin[before + items++] = t;
                }
        }
}

void run(const int *rows, const int *columns, int *first, int *bin, int tile, int count, int layers)
{
    plan<<<1, BINS>>>(rows, columns, first, bin, tile, count, layers);
}
