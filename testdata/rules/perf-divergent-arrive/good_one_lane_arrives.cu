// One lane of each warp arrives for it: there is one update, whatever came before.
#include <cstdint>
#include <cuda/ptx>

__global__ void sums(const int *depth, int *row)
{
    __shared__ uint64_t done;
    __shared__ int total[4];
    if (threadIdx.x == 0)
        cuda::ptx::mbarrier_init(&done, 4);
    __syncthreads();
    int value = row[threadIdx.x];
    for (int i = 0; i < depth[threadIdx.x]; ++i)
        value = value * 3 + i;
    const int sum = __reduce_add_sync(0xffffffff, value);
    if (threadIdx.x % 32 == 0) {
        total[threadIdx.x / 32] = sum;
        cuda::ptx::mbarrier_arrive(&done);
    }
    while (!cuda::ptx::mbarrier_try_wait_parity(&done, 0)) {
    }
    row[threadIdx.x] = total[0] + total[1] + total[2] + total[3];
}

void launch(const int *depth, int *row)
{
    sums<<<1, 128>>>(depth, row);
}
