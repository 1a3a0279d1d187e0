// A ring over as many tiles as a function finds.
#include <cstdint>

using semaphore = uint64_t;

__device__ inline uint32_t address_of(semaphore &s)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(&s));
}

__device__ inline void init_semaphore(semaphore &s, int count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address_of(s)), "r"(count));
}

__device__ inline void arrive(semaphore &s)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address_of(s)) : "memory");
}

__device__ inline void wait(semaphore &s, int phase)
{
    asm volatile("{\n"
                 ".reg .pred P1;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
                 "@!P1 bra again;\n"
                 "}" ::"r"(address_of(s)),
                 "r"(phase)
                 : "memory");
}

struct Scheduler {
    int tiles, tile;

    __device__ bool next()
    {
        tile += gridDim.x;
        if (tile >= tiles)
            return false;
        __syncwarp();
        return true;
    }
};

constexpr int stages = 2;

__global__ void stream(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ semaphore full[stages], empty[stages];
    __shared__ float buffer[stages][32];
    const int lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        for (int s = 0; s < stages; ++s) {
            init_semaphore(full[s], 32);
            init_semaphore(empty[s], 32);
        }
    }
    __syncthreads();
    Scheduler scheduler{tiles, (int)blockIdx.x - (int)gridDim.x};
    int round = 0;
    if (threadIdx.x < 32) {
        for (; scheduler.next(); ++round) {
            wait(empty[round % stages], round / stages & 1 ^ 1);
            buffer[round % stages][lane] = in[scheduler.tile * 32 + lane];
            arrive(full[round % stages]);
        }
    } else {
        for (; scheduler.next(); ++round) {
            wait(full[round % stages], round / stages & 1);
            out[scheduler.tile * 32 + lane] = buffer[round % stages][lane];
            arrive(empty[round % stages]);
        }
    }
}

void run(const float *in, float *out, int tiles)
{
    stream<<<132, 64>>>(in, out, tiles);
}
