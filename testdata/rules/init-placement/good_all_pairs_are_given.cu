// The host counts the barriers as the kernel does: a pair for each stage, and one for the scales.
#include <cstdint>
#include <cuda_runtime.h>

constexpr int kStages = 4, kTile = 256;

struct Bar {
    uint64_t word;

    __device__ void init(uint32_t count)
    {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(
                         (uint32_t)__cvta_generic_to_shared(&word)),
                     "r"(count)
                     : "memory");
    }
    __device__ void arrive()
    {
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(
                         (uint32_t)__cvta_generic_to_shared(&word))
                     : "memory");
    }
    __device__ void wait(uint32_t parity)
    {
        asm volatile("{\n.reg .pred done;\nagain:\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                     "@!done bra again;\n}" ::"r"((uint32_t)__cvta_generic_to_shared(&word)),
                     "r"(parity)
                     : "memory");
    }
};

__global__ void scaled_sum(const float *__restrict__ in, const float *__restrict__ scale,
                           float *__restrict__ out)
{
    extern __shared__ __align__(1024) unsigned char memory[];
    float *tiles = reinterpret_cast<float *>(memory);
    Bar *full = reinterpret_cast<Bar *>(tiles + kStages * kTile);
    Bar *empty = full + kStages + 1;
    if (threadIdx.x == 0) {
        for (int i = 0; i <= kStages; ++i) {
            full[i].init(128);
            empty[i].init(128);
        }
    }
    __syncthreads();
    if (threadIdx.x < 128) {
        for (int s = 0; s < kStages; ++s) {
            tiles[s * kTile + threadIdx.x] = in[s * 128 + threadIdx.x] * scale[s];
            full[s].arrive();
        }
    } else {
        float sum = 0;
        for (int s = 0; s < kStages; ++s) {
            full[s].wait(0);
            sum += tiles[s * kTile + 255 - threadIdx.x];
        }
        out[threadIdx.x - 128] = sum;
    }
}

static size_t shared_bytes()
{
    return kStages * kTile * sizeof(float) + 2 * (kStages + 1) * sizeof(Bar);
}

void launch(const float *in, const float *scale, float *out, cudaStream_t stream)
{
    scaled_sum<<<1, 256, shared_bytes(), stream>>>(in, scale, out);
}
