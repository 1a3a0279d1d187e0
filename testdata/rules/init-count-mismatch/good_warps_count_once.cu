// The empty barriers count consumer warps: lane 0 arrives for the warp, after __syncwarp().
#include <cstdint>

struct PhaseBarrier {
    uint64_t word;

    __device__ uint32_t address() const
    {
        return static_cast<uint32_t>(__cvta_generic_to_shared(&word));
    }
    __device__ void init(uint32_t count)
    {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address()), "r"(count));
    }
    __device__ void arrive()
    {
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address()) : "memory");
    }
    __device__ void wait(uint32_t parity)
    {
        asm volatile("{\n"
                     ".reg .pred done;\n"
                     "poll:\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                     "@!done bra poll;\n"
                     "}" ::"r"(address()),
                     "r"(parity)
                     : "memory");
    }
};

template <int Stages, int ConsumerWarps>
__global__ void copy(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ PhaseBarrier full[Stages], empty[Stages];
    __shared__ float tile[Stages][32];
    const int lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        for (int s = 0; s < Stages; ++s) {
            full[s].init(32);
            empty[s].init(ConsumerWarps);
        }
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        for (int t = 0; t < tiles; ++t) {
            const int s = t % Stages;
            empty[s].wait((t / Stages & 1) ^ 1);
            tile[s][lane] = in[t * 32 + lane];
            full[s].arrive();
        }
    } else {
        for (int t = 0; t < tiles; ++t) {
            const int s = t % Stages;
            full[s].wait(t / Stages & 1);
            if (threadIdx.x < 64)
                out[t * 32 + lane] = tile[s][lane];
            __syncwarp();
            if (lane == 0)
                empty[s].arrive();
        }
    }
}

void run(const float *in, float *out)
{
    copy<3, 2><<<1, 96>>>(in, out, 16);
}
