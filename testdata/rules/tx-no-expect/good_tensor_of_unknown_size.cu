// The barrier is told of as many bytes as the host says the box has.
#include <cstdint>
#include <cuda.h>
#include <cuda_runtime.h>

__device__ uint32_t shared(const void *at) { return static_cast<uint32_t>(__cvta_generic_to_shared(at)); }

__global__ void rows(const __grid_constant__ CUtensorMap map, float *out, int box_bytes)
{
    __shared__ alignas(128) float tile[32 * 32];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared(&full)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile( // rows of this block
            "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
            ::"r"(shared(tile)), "l"(&map), "r"(shared(&full)), "r"(0), "r"(static_cast<int>(blockIdx.x) * 32)
            : "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared(&full)), "r"(box_bytes) : "memory");
    }
    asm volatile("{\n.reg .pred p;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n@!p bra AGAIN;\n}" ::"r"(
                     shared(&full))
                 : "memory");
    out[blockIdx.x * blockDim.x + threadIdx.x] = tile[threadIdx.x];
}

void run(const CUtensorMap &map, float *out, int box_bytes)
{
    rows<<<8, 128>>>(map, out, box_bytes);
}
