// A phase bit that is toggled, through a wrapper class over inline PTX.
#include <cstdint>
#include <cuda_runtime.h>

class PhaseBarrier
{
public:
    __device__ void init(uint32_t arrivals)
    {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address()), "r"(arrivals));
    }

    __device__ void arrive()
    {
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address()) : "memory");
    }

    __device__ void wait(uint32_t parity)
    {
        asm volatile("{\n"
                     ".reg .pred done;\n"
                     "again:\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                     "@!done bra again;\n"
                     "}" ::"r"(address()),
                     "r"(parity)
                     : "memory");
    }

private:
    __device__ uint32_t address()
    {
        return static_cast<uint32_t>(__cvta_generic_to_shared(&storage_));
    }

    uint64_t storage_;
};

__global__ void iterate(float *data)
{
    __shared__ PhaseBarrier step;
    if (threadIdx.x == 0)
        step.init(blockDim.x);
    __syncthreads();
    uint32_t phase = 0;
    for (int i = 0; i < 4; ++i) {
        data[threadIdx.x] += 0.5f * data[threadIdx.x];
        step.arrive();
        step.wait(phase);
        phase ^= 1;
    }
}

void run(float *data)
{
    iterate<<<1, 128>>>(data);
}
