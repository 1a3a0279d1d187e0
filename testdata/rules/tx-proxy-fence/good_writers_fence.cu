// Every writer fences before the barrier; or the writers are the lanes of the issuer's own warp; or
// the issuing thread is the only one who writes.
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__device__ void send(int *out, const int *line, unsigned bytes)
{
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, line, bytes);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});
}

__global__ void all_fence(const int *in, int *out)
{
    __shared__ alignas(16) int line[128];
    line[threadIdx.x] = -in[threadIdx.x];
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0)
        send(out, line, sizeof(line));
}

__global__ void lanes_fence(const int *in, int *out)
{
    __shared__ alignas(16) int line[4][32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    line[warp][lane] = -in[threadIdx.x];
    ptx::fence_proxy_async(ptx::space_shared);
    __syncwarp();
    if (lane == 0)
        send(out + warp * 32, line[warp], sizeof(line[0]));
}

__global__ void one_writes(const int *in, int *out)
{
    __shared__ alignas(16) int line[4];
    if (threadIdx.x == 0) {
        for (int i = 0; i < 4; ++i)
            line[i] = in[i] + 1;
        ptx::fence_proxy_async(ptx::space_shared);
        send(out, line, sizeof(line));
    }
}

void launch(const int *in, int *out)
{
    all_fence<<<1, 128>>>(in, out);
    lanes_fence<<<1, 128>>>(in, out);
    one_writes<<<1, 32>>>(in, out);
}
