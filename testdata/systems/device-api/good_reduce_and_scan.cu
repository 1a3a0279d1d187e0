// Reductions with the library's operators and with a lambda; a scan that finds each thread's place.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

__global__ void reduce_all(const int *in, int *out)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int value = in[threadIdx.x];
    int sum = cg::reduce(warp, value, cg::plus<int>());
    sum += cg::reduce(warp, value, [](int a, int b) { return a > b ? a : b; });
    out[threadIdx.x] = sum;
}

__global__ void compact(int *data, int count, int *out)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int each = count / (int)warp.num_threads();
    const int first = warp.thread_rank() * each;
    int kept = 0;
    for (int i = 0; i < each; ++i)
        kept += data[first + i] > 0;
    int to = cg::exclusive_scan(warp, kept);
    for (int i = 0; i < each; ++i)
        if (data[first + i] > 0)
            out[to++] = data[first + i];
    if (warp.shfl(to, 31) == 0)
        out[0] = 0;
}

void launch(const int *in, int *data, int count, int *out)
{
    reduce_all<<<1, 128>>>(in, out);
    compact<<<1, 32>>>(data, count, out);
}
