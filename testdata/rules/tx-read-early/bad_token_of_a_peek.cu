// The consumer looks whether its stage is full and hands the answer on; the step that should wait
// where it is not forgets to.
#include <cstdint>
#include <cuda_runtime.h>

__device__ uint32_t shared_address(const void *at)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(at));
}

struct Phase {
    uint64_t word;

    __device__ void init(uint32_t count)
    {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&word)),
                     "r"(count));
    }
    __device__ bool test(uint32_t parity)
    {
        uint32_t over;
        asm volatile("{\n.reg .pred p;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                     "selp.u32 %0, 1, 0, p;\n}"
                     : "=r"(over)
                     : "r"(shared_address(&word)), "r"(parity)
                     : "memory");
        return over;
    }
    __device__ void wait(uint32_t parity)
    {
        while (!test(parity))
            ;
    }
    __device__ void arrive()
    {
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(&word))
                     : "memory");
    }
    __device__ void load(void *to, const void *from, uint32_t bytes)
    {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                         shared_address(&word)),
                     "r"(bytes)
                     : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                     "[%0], [%1], %2, [%3];" ::"r"(shared_address(to)),
                     "l"(from), "r"(bytes), "r"(shared_address(&word))
                     : "memory");
    }
};

template <int Stages> struct Consumer {
    Phase *full, *empty;
    int stage;
    uint32_t parity;

    __device__ bool peek() { return full[stage].test(parity); }
    __device__ void wait(bool ready)
    {
        if (ready)
            __syncwarp();
    }
    __device__ void release()
    {
        __syncwarp();
        if (threadIdx.x % 32 == 0)
            empty[stage].arrive();
        if (++stage == Stages) {
            stage = 0;
            parity ^= 1;
        }
    }
};

template <int Stages>
__global__ void __launch_bounds__(96) energy(const float *in, float *out, int tiles)
{
    __shared__ alignas(128) float tile[Stages][256];
    __shared__ Phase full[Stages], empty[Stages];
    if (threadIdx.x == 0) {
        for (int i = 0; i < Stages; ++i) {
            full[i].init(1);
            empty[i].init(2);
        }
    }
    __syncthreads();
    if (threadIdx.x >= 64) {
        for (int i = 0; i < tiles && threadIdx.x == 64; ++i) {
            empty[i % Stages].wait(i / Stages % 2 ^ 1);
            full[i % Stages].load(tile[i % Stages], in + i * 256, sizeof tile[0]);
        }
        return;
    }
    Consumer<Stages> consumer{full, empty, 0, 0};
    float sum = 0.0f;
    for (int i = 0; i < tiles; ++i) {
        consumer.wait(consumer.peek());
        for (int k = threadIdx.x; k < 256; k += 64)
            sum += tile[consumer.stage][k] * tile[consumer.stage][k]; // expect: tx-read-early
        consumer.release();
    }
    out[threadIdx.x] = sum;
}

void run(const float *in, float *out, int tiles)
{
    energy<3><<<1, 96>>>(in, out, tiles);
}
