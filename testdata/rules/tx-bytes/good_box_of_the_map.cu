// Each map has a box of its own, one of them leaves out every second row, and the announcement counts
// what comes.
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
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, &full,
                                       (tall + wide / 2) * deep * sizeof(float));
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
                   uint32_t rows, uint32_t columns, uint32_t every)
{
    const cuuint64_t extent[2] = {size, size}, stride[1] = {size * sizeof(T)};
    const cuuint32_t box[2] = {columns, rows}, step[2] = {1, every};
    const auto type =
        sizeof(T) == 4 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT32 : CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
    by(map, type, 2, data, extent, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
       CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE,
       CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

void run(PFN_cuTensorMapEncodeTiled_v12000 by, float *left, float *right, float *out)
{
    maps operand;
    encode(by, &operand.left, left, 4096, tall, deep, 1);
    encode(by, &operand.right, right, 4096, wide, deep, 2);
    multiply<<<128, 128, 2 * tall * deep * sizeof(float)>>>(operand, out);
}
