// Each leader arrives for two warps.
#include <cuda/barrier>
#include <utility>

using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void mirror(const int *in, int *out)
{
    __shared__ barrier bar;
    __shared__ int row[192];
    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    row[threadIdx.x] = in[threadIdx.x];
    __syncwarp();
    barrier::arrival_token token;
    if (threadIdx.x % 32 == 0)
        token = bar.arrive(64); // expect: arrive-over
    token = __shfl_sync(0xffffffff, token, 0);
    bar.wait(std::move(token));
    out[threadIdx.x] = row[191 - threadIdx.x];
}

void launch(const int *in, int *out)
{
    mirror<<<8, 192>>>(in, out);
}
