// The producers wait at the named barrier for consumers who wait at the mbarrier for them.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

struct NamedBarrier {
    static __device__ void sync(int threads, int id)
    {
        asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
    }
};

__global__ void roles(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ uint64_t full;
    __shared__ float tile[32];
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&full, 32);
    __syncthreads();
    if (threadIdx.x < 32) {
        tile[threadIdx.x] = in[threadIdx.x];
        NamedBarrier::sync(64, 1); // expect: named-order-cycle
        ptx::mbarrier_arrive(&full);
    } else {
        while (!ptx::mbarrier_try_wait_parity(&full, 0)) {
        }
        out[threadIdx.x - 32] = tile[threadIdx.x - 32];
        NamedBarrier::sync(64, 1);
    }
}

void run(const float *in, float *out)
{
    roles<<<1, 64>>>(in, out);
}
