// The loader waits for the store of the task before; within a task the ring holds both roles
// together, however many slices a task has. A task without any is nobody's case.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int Slots = 2;

__global__ void chain(const float *__restrict__ in, float *__restrict__ out, int tasks, int slices)
{
    __shared__ uint64_t full[Slots], empty[Slots], stored;
    __shared__ float slot[Slots][128];
    const int lane = threadIdx.x % 128;
    if (threadIdx.x == 0) {
        for (int i = 0; i < Slots; ++i) {
            ptx::mbarrier_init(&full[i], 128);
            ptx::mbarrier_init(&empty[i], 128);
        }
        ptx::mbarrier_init(&stored, 1);
    }
    __syncthreads();
    int at = 0, phase = 0;
    if (threadIdx.x >= 128) {
        for (int task = blockIdx.x, done = 0; task < tasks; task += gridDim.x, done ^= 1) {
            if (task != blockIdx.x)
                while (!ptx::mbarrier_try_wait_parity(&stored, done ^ 1)) {
                }
            for (int k = 0; k < slices; ++k) {
                while (!ptx::mbarrier_try_wait_parity(&empty[at], phase ^ 1)) {
                }
                slot[at][lane] = in[(task * slices + k) * 128 + lane];
                ptx::mbarrier_arrive(&full[at]);
                at = (at + 1) % Slots;
                phase ^= at == 0;
            }
        }
    } else {
        for (int task = blockIdx.x; task < tasks; task += gridDim.x) {
            float sum = 0;
            for (int k = 0; k < slices; ++k) {
                while (!ptx::mbarrier_try_wait_parity(&full[at], phase)) {
                }
                sum += slot[at][127 - lane];
                ptx::mbarrier_arrive(&empty[at]);
                at = (at + 1) % Slots;
                phase ^= at == 0;
            }
            out[task * 128 + lane] = sum;
            asm volatile("bar.sync 1, 128;" ::: "memory");
            if (lane == 0)
                ptx::mbarrier_arrive(&stored);
        }
    }
}

void run(const float *in, float *out, int tasks, int slices)
{
    chain<<<132, 256>>>(in, out, tasks, slices);
}
