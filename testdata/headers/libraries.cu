// CUB's block primitives inside kernels, and a host program around them.
// needs: cub/cub.cuh thrust/device_vector.h
#include <cub/block/block_load.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <vector>

template <int block> __global__ void kernel(int *out, int n)
{
    using Reduce = cub::BlockReduce<int, block>;
    using Scan = cub::BlockScan<int, block>;
    using Load = cub::BlockLoad<int, block, 4, cub::BLOCK_LOAD_TRANSPOSE>;
    __shared__ typename Reduce::TempStorage reduce_storage;
    __shared__ union {
        typename Scan::TempStorage scan;
        typename Load::TempStorage load;
    } storage;
    int items[4];
    Load(storage.load).Load(out, items);
    __syncthreads();
    int sum = Reduce(reduce_storage).Sum(items[0]);
    __syncthreads();
    sum += Reduce(reduce_storage).Reduce(sum, [](int a, int b) { return a < b ? b : a; });
    int before = 0, total = 0;
    Scan(storage.scan).ExclusiveSum(sum, before, total);
    using Warp = cub::WarpReduce<int>;
    __shared__ typename Warp::TempStorage warp_storage[block / 32];
    out[0] = before + total + Warp(warp_storage[threadIdx.x / 32]).Sum(n);
}

void host()
{
    std::vector<int> numbers(100);
    thrust::device_vector<int> on_device(numbers.begin(), numbers.end());
    thrust::host_vector<int> back = on_device;
    thrust::sort(on_device.begin(), on_device.end());
    int sum = thrust::reduce(on_device.begin(), on_device.end(), 0);
    thrust::copy(on_device.begin(), on_device.end(), numbers.begin());
    kernel<128><<<1, 128>>>(thrust::raw_pointer_cast(on_device.data()), sum);
}
