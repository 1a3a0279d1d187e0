// Two warps bring the tiles of one product, numbers and scales. Only the first waits for the kernel
// that makes them; the barrier the other one waits at lets it start its first copies at once.
#include <cstdint>
#include <cuda_runtime.h>

constexpr int TILE = 128, STAGES = 2;

__device__ uint32_t place(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ void init(uint64_t *b, int n) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(place(b)), "r"(n) : "memory"); }
__device__ void arrive(uint64_t *b) { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(place(b)) : "memory"); }
__device__ void await(uint64_t *b, int parity)
{
    asm volatile("{\n.reg .pred p;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra again;\n}" ::"r"(place(b)), "r"(parity) : "memory");
}
__device__ void bring(float *to, const float *from, uint64_t *b)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(place(b)), "r"(TILE * 4) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(place(to)), "l"(from), "r"(TILE * 4), "r"(place(b)) : "memory"); // expect: launch-pdl
}

__global__ void quantise(const float *in, float *numbers, float *scales)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    scales[i] = fabsf(in[i]);
    numbers[i] = in[i] / scales[i];
}

__global__ void __launch_bounds__(192) product(const float *numbers, const float *scales, float *out, int tiles)
{
    __shared__ alignas(128) float number[STAGES][TILE], scale[STAGES][TILE];
    __shared__ uint64_t full[2][STAGES], empty[2][STAGES];
    if (threadIdx.x == 0) {
        for (int i = 0; i < 2 * STAGES; ++i) {
            init(&full[0][0] + i, 1);
            init(&empty[0][0] + i, TILE);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    const int warp = threadIdx.x / 32;
    if (warp == 0) {
        asm volatile("griddepcontrol.wait;" ::: "memory");
        if (threadIdx.x % 32 == 0) {
            for (int k = 0; k < tiles; ++k) {
                await(&empty[0][k % STAGES], k / STAGES % 2 ^ 1);
                bring(number[k % STAGES], numbers + k * TILE, &full[0][k % STAGES]);
            }
        }
    } else if (warp == 1) {
        if (threadIdx.x % 32 == 0) {
            for (int k = 0; k < tiles; ++k) {
                await(&empty[1][k % STAGES], k / STAGES % 2 ^ 1);
                bring(scale[k % STAGES], scales + k * TILE, &full[1][k % STAGES]);
            }
        }
    } else {
        float sum = 0;
        for (int k = 0; k < tiles; ++k) {
            await(&full[0][k % STAGES], k / STAGES % 2);
            await(&full[1][k % STAGES], k / STAGES % 2);
            sum += number[k % STAGES][threadIdx.x - 64] * scale[k % STAGES][threadIdx.x - 64];
            arrive(&empty[0][k % STAGES]);
            arrive(&empty[1][k % STAGES]);
        }
        out[blockIdx.x * TILE + threadIdx.x - 64] = sum;
    }
}

void launch(const float *in, float *numbers, float *scales, float *out, int tiles, cudaStream_t stream)
{
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute[0].val.programmaticStreamSerializationAllowed = 1;
    quantise<<<tiles, TILE, 0, stream>>>(in, numbers, scales);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(8);
    config.blockDim = dim3(192);
    config.stream = stream;
    config.attrs = attribute;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, product, (const float *)numbers, (const float *)scales, out, tiles);
}
