// Each thread works on an item of its own kind; one kind of item forgets to arrive.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

enum Kind { kCopy, kScale, kSkip };

__global__ void dispatch(const int *__restrict__ kind, float *__restrict__ data)
{
    __shared__ uint64_t finished;
    __shared__ float line[96];
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&finished, 96);
    __syncthreads();
    float value = data[threadIdx.x];
    switch (kind[threadIdx.x]) {
    case kCopy:
        line[threadIdx.x] = value;
        ptx::mbarrier_arrive(&finished); // expect: arrive-divergent
        break;
    case kScale:
        line[threadIdx.x] = 2.0f * value;
        ptx::mbarrier_arrive(&finished);
        break;
    default:
        break;
    }
    while (!ptx::mbarrier_try_wait_parity(&finished, 0)) {
    }
    data[threadIdx.x] = line[95 - threadIdx.x];
}

void run(const int *kind, float *data)
{
    dispatch<<<1, 96>>>(kind, data);
}
