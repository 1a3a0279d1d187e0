// Lists of rows of all lengths go through a ring. The copies of a row arrive themselves when they
// have come.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int stages = 4, width = 256, copiers = 64, readers = 128;

__device__ uint32_t smem(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__global__ void add_lists(const float *__restrict__ table, const int *__restrict__ row,
                          const int *__restrict__ first, float *__restrict__ out, int lists)
{
    __shared__ alignas(16) float line[stages][4][width];
    __shared__ uint64_t full[stages], empty[stages];
    if (threadIdx.x < stages) {
        ptx::mbarrier_init(&full[threadIdx.x], copiers);
        ptx::mbarrier_init(&empty[threadIdx.x], readers);
    }
    __syncthreads();
    const bool copies = threadIdx.x < copiers;
    unsigned turn = 0;
    for (int list = blockIdx.x; list < lists; list += gridDim.x) {
        const int begin = first[list], end = first[list + 1];
        float sum[2] = {};
        for (int i = begin; i < end; i += 4, ++turn) {
            const int s = turn % stages;
            const uint32_t parity = turn / stages & 1;
            if (copies) {
                while (!ptx::mbarrier_try_wait_parity(&empty[s], parity ^ 1)) {
                }
                for (int v = threadIdx.x; v < width; v += copiers) {
                    const int r = v / 64, at = v % 64 * 4;
                    if (i + r < end)
                        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
                                     ::"r"(smem(&line[s][r][at])),
                                     "l"(table + row[i + r] * width + at)
                                     : "memory");
                }
                asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(
                                 smem(&full[s]))
                             : "memory");
            } else {
                while (!ptx::mbarrier_try_wait_parity(&full[s], parity)) {
                }
                for (int r = 0; r < min(4, end - i); ++r) {
                    sum[0] += line[s][r][threadIdx.x - copiers];
                    sum[1] += line[s][r][threadIdx.x - copiers + readers];
                }
                ptx::mbarrier_arrive(&empty[s]);
            }
        }
        if (!copies) {
            out[list * width + threadIdx.x - copiers] = sum[0];
            out[list * width + threadIdx.x - copiers + readers] = sum[1];
        }
    }
}

void run(const float *table, const int *row, const int *first, float *out, int lists)
{
    add_lists<<<264, copiers + readers>>>(table, row, first, out, lists);
}
