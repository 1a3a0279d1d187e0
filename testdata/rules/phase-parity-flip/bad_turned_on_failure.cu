#include <cstdint>
#include <cuda/ptx>

// The parity is turned after each answer, and a test may come back before the phase is over.
__global__ void every_answer(float *data, int steps)
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
        bool over = false;
        while (!over) {
            over = cuda::ptx::mbarrier_try_wait_parity(&stored, parity); // expect: phase-parity-flip
            parity ^= 1;
        }
        data[threadIdx.x] = 0.5f * (line[threadIdx.x] + line[127 - threadIdx.x]);
        __syncthreads();
    }
}

// The same where the parity is a member, and the test is in a function of its own.
struct door {
    uint64_t *bar;
    uint32_t side;

    __device__ bool ask(uint32_t parity) const
    {
        uint32_t over;
        asm volatile("{\n"
                     ".reg .pred p;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                     "selp.u32 %0, 1, 0, p;\n"
                     "}"
                     : "=r"(over)
                     : "r"((uint32_t)__cvta_generic_to_shared(bar)), "r"(parity)
                     : "memory");
        return over != 0;
    }

    __device__ void pass()
    {
        do {
            side ^= 1;
        } while (!ask(side ^ 1)); // expect: phase-parity-flip
    }
};

__global__ void by_member(float *data, int steps)
{
    __shared__ uint64_t stored;
    __shared__ float line[128];
    if (threadIdx.x == 0)
        cuda::ptx::mbarrier_init(&stored, 128);
    __syncthreads();
    door door{&stored, 0};
    for (int s = 0; s < steps; ++s) {
        line[threadIdx.x] = data[threadIdx.x];
        cuda::ptx::mbarrier_arrive(&stored);
        door.pass();
        data[threadIdx.x] = 0.5f * (line[threadIdx.x] + line[127 - threadIdx.x]);
        __syncthreads();
    }
}

void launch(float *data)
{
    every_answer<<<1, 128>>>(data, 8);
    by_member<<<1, 128>>>(data, 8);
}
