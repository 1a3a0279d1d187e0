// A helper that sets up its barrier is called for two operands with one barrier.
#include <cstdint>

struct Barrier {
    uint64_t word;

    __device__ uint32_t at() const
    {
        return static_cast<uint32_t>(__cvta_generic_to_shared(&word));
    }
    __device__ void init(uint32_t count)
    {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at()), "r"(count));
    }
    __device__ void expect(uint32_t bytes)
    {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at()),
                     "r"(bytes)
                     : "memory");
    }
    __device__ void wait(uint32_t parity)
    {
        asm volatile("{\n"
                     ".reg .pred p;\n"
                     "again:\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
                     "@!p bra again;\n"
                     "}" ::"r"(at()),
                     "r"(parity)
                     : "memory");
    }
};

template <int Count> __device__ void fetch(Barrier &landed, float *to, const float *from)
{
    if (threadIdx.x == 0) {
        landed.init(1); // expect: init-reinit-live
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        landed.expect(Count * sizeof(float));
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                     "[%0], [%1], %2, [%3];" ::"r"(
                         static_cast<uint32_t>(__cvta_generic_to_shared(to))),
                     "l"(from), "r"(static_cast<uint32_t>(Count * sizeof(float))), "r"(landed.at())
                     : "memory");
    }
    __syncthreads();
    landed.wait(0);
}

__global__ void dot(const float *__restrict__ a, const float *__restrict__ b,
                    float *__restrict__ out)
{
    __shared__ Barrier landed;
    __shared__ alignas(16) float x[256], y[256];
    fetch<256>(landed, x, a + blockIdx.x * 256);
    __syncthreads();
    fetch<256>(landed, y, b + blockIdx.x * 256);
    out[blockIdx.x * 256 + threadIdx.x] = x[threadIdx.x] * y[255 - threadIdx.x];
}

void run(const float *a, const float *b, float *out, int blocks)
{
    dot<<<blocks, 256>>>(a, b, out);
}
