// The box comes as a std::array, the map from a helper, and the launch gets addresses of arguments.
#include <array>
#include <cstdint>
#include <cuda.h>

__device__ uint32_t shared(const void *at)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(at));
}

template <int ROWS, int COLUMNS>
__global__ void widths(const __grid_constant__ CUtensorMap map, float *out)
{
    __shared__ alignas(128) float tile[ROWS][COLUMNS];
    __shared__ uint64_t there;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared(&there)) : "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                     ::"r"(shared(&there)), "n"(sizeof(tile)) : "memory");
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile"
                     ".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                     ::"r"(shared(tile)), "l"(&map), "r"(0), "r"(blockIdx.x * ROWS),
                     "r"(shared(&there)) : "memory");
    }
    asm volatile("{\n.reg .pred p;\nagain:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n@!p bra again;\n}"
                 ::"r"(shared(&there)) : "memory");
    float sum = 0;
    for (int c = 0; c < COLUMNS; ++c)
        sum += tile[threadIdx.x][c];
    out[blockIdx.x * ROWS + threadIdx.x] = sum;
}

static CUtensorMap describe(void *data, cuuint64_t rows, std::array<cuuint32_t, 2> box)
{
    CUtensorMap map;
    cuuint64_t extent[] = {box[0], rows}, stride[] = {box[0] * sizeof(float)};
    cuuint32_t step[] = {1, 1};
    cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, data, extent, stride,
                           box.data(), step, CU_TENSOR_MAP_INTERLEAVE_NONE,
                           CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                           CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    return map;
}

void run(void *data, float *out, int rows)
{
    CUtensorMap map = describe(data, static_cast<cuuint64_t>(rows), {32, 64});
    void *arguments[] = {&map, &out};
    cudaLaunchKernel(reinterpret_cast<const void *>(&widths<64, 32>), dim3(rows / 64), dim3(64),
                     arguments, 0, nullptr);
}
