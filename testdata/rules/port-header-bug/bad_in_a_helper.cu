// The bounded wait is in a helper of the user's own, until a point in time.
#include <cuda/barrier>
#include <cuda/std/chrono>

template <class Barrier>
__device__ void wait_patiently(Barrier &barrier, bool parity)
{
    using clock = cuda::std::chrono::high_resolution_clock;
    while (!barrier.try_wait_parity_until(parity, clock::now() + cuda::std::chrono::microseconds(3))) {
    }
}

__global__ void reverse(float *data)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> stored;
    __shared__ float line[96];
    if (threadIdx.x == 0)
        init(&stored, 96);
    __syncthreads();
    line[threadIdx.x] = data[threadIdx.x];
    (void)stored.arrive();
    wait_patiently(stored, false); // expect[cccl < 3.2.1]: port-header-bug
    data[threadIdx.x] = line[95 - threadIdx.x];
}

void launch(float *data)
{
    reverse<<<1, 96>>>(data);
}
