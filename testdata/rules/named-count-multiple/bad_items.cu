// The number of items instead of the number of threads, for one of two groups.
#include <cuda_runtime.h>

template <int kItems>
__global__ void reduce_items(const int *in, int *out)
{
    __shared__ int part[256];
    int group = threadIdx.x / 128;
    int count = group == 0 ? 128 : kItems;
    part[threadIdx.x] = in[threadIdx.x];
    __barrier_sync_count(3 + group, count); // expect: named-count-multiple
    if (threadIdx.x % 128 == 0) {
        int sum = 0;
        for (int i = 0; i < count; ++i)
            sum += part[group * 128 + i];
        out[group] = sum;
    }
}

void run(const int *in, int *out)
{
    reduce_items<100><<<1, 256>>>(in, out);
}
