// CUB's algorithms, of the toolkit, held against the host's: for the block, a tile each, and for
// the device. Which one is the argument.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <vector>

#include <cub/cub.cuh>

enum { THREADS = 256, ITEMS = 8, TILE = THREADS * ITEMS, TILES = 2048, COUNT = TILES * TILE };

using load = cub::BlockLoad<unsigned, THREADS, ITEMS, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
using store = cub::BlockStore<unsigned, THREADS, ITEMS, cub::BLOCK_STORE_WARP_TRANSPOSE>;

template <cub::BlockScanAlgorithm ALGORITHM> __global__ void scan(const unsigned *in, unsigned *out)
{
    using scan = cub::BlockScan<unsigned, THREADS, ALGORITHM>;
    __shared__ union {
        typename load::TempStorage load;
        typename scan::TempStorage scan;
        typename store::TempStorage store;
    } shared;
    unsigned item[ITEMS];
    load(shared.load).Load(in + blockIdx.x * TILE, item);
    __syncthreads();
    scan(shared.scan).InclusiveSum(item, item);
    __syncthreads();
    store(shared.store).Store(out + blockIdx.x * TILE, item);
}

__global__ void sort(const unsigned *in, unsigned *out)
{
    using sort = cub::BlockRadixSort<unsigned, THREADS, ITEMS>;
    __shared__ union {
        typename load::TempStorage load;
        typename sort::TempStorage sort;
        typename store::TempStorage store;
    } shared;
    unsigned item[ITEMS];
    load(shared.load).Load(in + blockIdx.x * TILE, item);
    __syncthreads();
    sort(shared.sort).Sort(item);
    __syncthreads();
    store(shared.store).Store(out + blockIdx.x * TILE, item);
}

// One sum for each tile.
template <cub::BlockReduceAlgorithm ALGORITHM>
__global__ void reduce(const unsigned *in, unsigned *out)
{
    using reduce = cub::BlockReduce<unsigned, THREADS, ALGORITHM>;
    __shared__ typename reduce::TempStorage shared;
    unsigned item[ITEMS];
    cub::LoadDirectStriped<THREADS>(threadIdx.x, in + blockIdx.x * TILE, item);
    unsigned sum = reduce(shared).Sum(item);
    if (threadIdx.x == 0) {
        out[blockIdx.x] = sum;
    }
}

// Calls the function, which takes temporary memory, as CUB's of the device do: once to ask how
// much.
template <class Function> static void with_temporary(Function function)
{
    size_t bytes = 0;
    function(nullptr, bytes);
    void *temporary;
    cudaMalloc(&temporary, bytes);
    for (int i = 0; i < 5; i++) {
        function(temporary, bytes);
    }
    cudaFree(temporary);
}

static void run(const char *name, const unsigned *in, unsigned *out)
{
    auto is = [&](const char *other) { return std::strcmp(name, other) == 0; };
    if (is("device-sort")) {
        with_temporary([&](void *temporary, size_t &bytes) {
            cub::DeviceRadixSort::SortKeys(temporary, bytes, in, out, int(COUNT));
        });
    } else if (is("device-scan")) {
        with_temporary([&](void *temporary, size_t &bytes) {
            cub::DeviceScan::InclusiveSum(temporary, bytes, in, out, int(COUNT));
        });
    }
    for (int i = 0; i < 5; i++) {
        if (is("block-scan")) {
            scan<cub::BLOCK_SCAN_WARP_SCANS><<<TILES, THREADS>>>(in, out);
            scan<cub::BLOCK_SCAN_RAKING><<<TILES, THREADS>>>(in, out);
        } else if (is("block-sort")) {
            sort<<<TILES, THREADS>>>(in, out);
        } else if (is("block-reduce")) {
            reduce<cub::BLOCK_REDUCE_WARP_REDUCTIONS><<<TILES, THREADS>>>(in, out);
            reduce<cub::BLOCK_REDUCE_RAKING><<<TILES, THREADS>>>(in, out);
        }
    }
}

// The same by the host, within tiles or of everything.
static void expect(const char *name, std::vector<unsigned> &values)
{
    bool is_of_device = std::strncmp(name, "device", 6) == 0;
    bool sorts = std::strstr(name, "sort"), reduces = std::strstr(name, "reduce");
    size_t tile = is_of_device ? COUNT : TILE;
    for (size_t at = 0; at < COUNT; at += tile) {
        auto begin = values.begin() + at, end = begin + tile;
        if (sorts) {
            std::sort(begin, end);
        } else {
            std::partial_sum(begin, end, begin);
        }
        if (reduces) {
            values[at / TILE] = end[-1];
        }
    }
    values.resize(reduces ? TILES : COUNT);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "block-scan";
    std::vector<unsigned> want(COUNT), got(COUNT);
    unsigned last = 12345;
    for (unsigned &value : want) {
        value = last = last * 1664525u + 1013904223u;
    }
    unsigned *in, *out;
    cudaMalloc(&in, sizeof(unsigned) * COUNT);
    cudaMalloc(&out, sizeof(unsigned) * COUNT);
    cudaMemset(out, 0, sizeof(unsigned) * COUNT);
    cudaMemcpy(in, want.data(), sizeof(unsigned) * COUNT, cudaMemcpyHostToDevice);
    run(name, in, out);
    cudaMemcpy(got.data(), out, sizeof(unsigned) * COUNT, cudaMemcpyDeviceToHost);
    expect(name, want);
    got.resize(want.size());
    std::puts(cudaGetLastError() == cudaSuccess && got == want ? "PASS" : "FAIL");
}
