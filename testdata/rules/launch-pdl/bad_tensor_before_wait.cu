// The rows come by a tensor map, which the host makes of what the kernel before fills.
#include <cstdint>
#include <cuda.h>
#include <cuda_runtime.h>

constexpr int WIDE = 64;

__device__ uint32_t place(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

__global__ void fill(float *rows)
{
    rows[blockIdx.x * WIDE + threadIdx.x] = blockIdx.x;
}

__global__ void __launch_bounds__(WIDE) twice(const __grid_constant__ CUtensorMap rows, const float *weight, float *out)
{
    __shared__ alignas(128) float row[WIDE];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(place(&full)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(place(&full)), "r"(WIDE * 4) : "memory");
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(place(row)), "l"(&rows), "r"(place(&full)), "r"(0), "r"(blockIdx.x) : "memory"); // expect: launch-pdl
    }
    __syncthreads();
    cudaGridDependencySynchronize();
    asm volatile("{\n.reg .pred p;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n@!p bra again;\n}" ::"r"(place(&full)) : "memory");
    out[blockIdx.x * WIDE + threadIdx.x] = weight[threadIdx.x] * row[threadIdx.x];
}

void launch(float *rows, const float *weight, float *out, int count, cudaStream_t stream)
{
    CUtensorMap map;
    cuuint64_t extent[2] = {WIDE, (cuuint64_t)count}, stride[1] = {WIDE * sizeof(float)};
    cuuint32_t box[2] = {WIDE, 1}, step[2] = {1, 1};
    cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, rows, extent, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute[0].val.programmaticStreamSerializationAllowed = 1;
    fill<<<count, WIDE, 0, stream>>>(rows);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(count);
    config.blockDim = dim3(WIDE);
    config.stream = stream;
    config.attrs = attribute;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, twice, map, weight, out);
}
