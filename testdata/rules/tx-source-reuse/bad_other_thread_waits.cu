#include <cuda/barrier>
#include <cuda/ptx>

namespace cde = cuda::device::experimental;

__global__ void scale(const float *__restrict__ in, float *__restrict__ out, int lines)
{
    __shared__ alignas(128) float line[2][256];
    for (int l = 0; l < lines; ++l) {
        line[0][threadIdx.x] = in[l * 256 + threadIdx.x] * 2.0f; // expect: tx-source-reuse
        cde::fence_proxy_async_shared_cta();
        __syncthreads();
        if (threadIdx.x == 0) {
            cde::cp_async_bulk_shared_to_global(out + l * 256, line[0], sizeof(line[0]));
            cde::cp_async_bulk_commit_group();
        }
        if (threadIdx.x == 32)
            cde::cp_async_bulk_wait_group_read<0>();
        __syncthreads();
    }
}

void run(const float *in, float *out, int lines)
{
    scale<<<1, 256>>>(in, out, lines);
}
