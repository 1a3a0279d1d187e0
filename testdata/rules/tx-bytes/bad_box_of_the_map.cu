// The announcement counts two tiles of the size of the first; the second map has a smaller box.
#include <cuda.h>
#include <cuda/ptx>
#include <cudaTypedefs.h>

namespace ptx = cuda::ptx;

constexpr int deep = 32, tall = 128, wide = 64;

struct maps {
    CUtensorMap left, right;
};

__global__ void multiply(const __grid_constant__ maps operand, float *out)
{
    extern __shared__ __align__(128) unsigned char raw[];
    __shared__ uint64_t full;
    float *left = reinterpret_cast<float *>(raw), *right = left + tall * deep;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&full, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        const int at[2] = {0, static_cast<int>(blockIdx.x) * deep};
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, // expect: tx-bytes
                                       ptx::space_shared, &full, 2 * tall * deep * sizeof(float));
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, left, &operand.left, at,
                                  &full);
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, right, &operand.right, at,
                                  &full);
    }
    while (!ptx::mbarrier_try_wait_parity(&full, 0)) {
    }
    out[blockIdx.x * 128 + threadIdx.x] = left[threadIdx.x] * right[threadIdx.x % wide];
}

template <typename T>
static void encode(PFN_cuTensorMapEncodeTiled_v12000 by, CUtensorMap *map, T *data, uint64_t size,
                   uint32_t rows, uint32_t columns)
{
    const cuuint64_t extent[2] = {size, size}, stride[1] = {size * sizeof(T)};
    const cuuint32_t box[2] = {columns, rows}, step[2] = {1, 1};
    const auto type =
        sizeof(T) == 4 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT32 : CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
    by(map, type, 2, data, extent, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
       CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE,
       CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

void run(PFN_cuTensorMapEncodeTiled_v12000 by, float *left, float *right, float *out)
{
    maps operand;
    encode(by, &operand.left, left, 4096, tall, deep);
    encode(by, &operand.right, right, 4096, wide, deep);
    multiply<<<128, 128, 2 * tall * deep * sizeof(float)>>>(operand, out);
}
