// The threads drop out one warp after the other until nobody is left.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void leave_in_turn(float *data)
{
    __shared__ uint64_t step;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&step, 96);
    __syncthreads();
    const int last = threadIdx.x / 32;
    for (int round = 0; round < last; ++round) {
        data[threadIdx.x] *= 0.5f;
        ptx::mbarrier_arrive(&step);
        while (!ptx::mbarrier_try_wait_parity(&step, round & 1)) {
        }
    }
    asm volatile("mbarrier.arrive_drop.shared::cta.b64 _, [%0];" // expect: exit-drop-to-zero
                 ::"r"(static_cast<uint32_t>(__cvta_generic_to_shared(&step)))
                 : "memory");
}

void run(float *data)
{
    leave_in_turn<<<1, 96>>>(data);
}
