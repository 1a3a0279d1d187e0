#include <cstdint>
#include <cuda/ptx>

// In the loop of the tests, but only behind the one that says yes.
__global__ void behind_the_last(float *data, int steps)
{
    __shared__ uint64_t stored;
    __shared__ float line[128];
    if (threadIdx.x == 0)
        cuda::ptx::mbarrier_init(&stored, 128);
    __syncthreads();
    uint32_t parity = 0;
    for (int s = 0; s < steps; ++s) {
        line[threadIdx.x] = data[threadIdx.x];
        cuda::ptx::mbarrier_arrive(&stored);
        bool over;
        do {
            over = cuda::ptx::mbarrier_try_wait_parity(&stored, parity);
            if (over)
                parity ^= 1;
        } while (!over);
        data[threadIdx.x] = 0.5f * (line[threadIdx.x] + line[127 - threadIdx.x]);
        __syncthreads();
    }
}

// Turned before each test, and back again where it fails.
__global__ void and_back(float *data, int steps)
{
    __shared__ uint64_t stored;
    __shared__ float line[128];
    if (threadIdx.x == 0)
        cuda::ptx::mbarrier_init(&stored, 128);
    __syncthreads();
    uint32_t next = 0;
    for (int s = 0; s < steps; ++s) {
        line[threadIdx.x] = data[threadIdx.x];
        cuda::ptx::mbarrier_arrive(&stored);
        while (true) {
            next ^= 1;
            if (cuda::ptx::mbarrier_try_wait_parity(&stored, next ^ 1))
                break;
            next ^= 1;
        }
        data[threadIdx.x] = 0.5f * (line[threadIdx.x] + line[127 - threadIdx.x]);
        __syncthreads();
    }
}

void launch(float *data)
{
    behind_the_last<<<1, 128>>>(data, 8);
    and_back<<<1, 128>>>(data, 8);
}
