// The warp that copies stands first in the text, and does so when the block has met; another one
// waits for the kernel before.
#include <cstdint>
#include <cuda_runtime.h>

constexpr int TILE = 128;

__device__ uint32_t place(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ void init(uint64_t *b, int n) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(place(b)), "r"(n) : "memory"); }
__device__ void await(uint64_t *b, int parity)
{
    asm volatile("{\n.reg .pred p;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra again;\n}" ::"r"(place(b)), "r"(parity) : "memory");
}

__global__ void fill(float *numbers)
{
    numbers[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x;
}

__global__ void __launch_bounds__(128) twice(const float *numbers, float *out)
{
    __shared__ alignas(128) float number[TILE];
    __shared__ uint64_t go, full;
    if (threadIdx.x == 0) {
        init(&go, 1);
        init(&full, 1);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(place(&full)), "r"(TILE * 4) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(place(number)), "l"(numbers + blockIdx.x * TILE), "r"(TILE * 4), "r"(place(&full)) : "memory"); // expect: launch-pdl
    } else if (threadIdx.x == 64) {
        asm volatile("griddepcontrol.wait;" ::: "memory");
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(place(&go)) : "memory");
    }
    await(&full, 0);
    out[blockIdx.x * TILE + threadIdx.x] = 2 * number[threadIdx.x];
}

void launch(float *numbers, float *out, cudaStream_t stream)
{
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute[0].val.programmaticStreamSerializationAllowed = 1;
    fill<<<8, TILE, 0, stream>>>(numbers);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(8);
    config.blockDim = dim3(128);
    config.stream = stream;
    config.attrs = attribute;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, twice, (const float *)numbers, out);
}
