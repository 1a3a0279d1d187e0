// The next tile is copied when all have read the last one: behind a barrier of the block; when they
// have arrived at a second mbarrier; by a warp for itself.
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__device__ void fetch(float *tile, const float *in, uint64_t *full)
{
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full, 512);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, 512, full);
}

__device__ void wait(uint64_t *bar, int parity)
{
    while (!ptx::mbarrier_try_wait_parity(bar, parity))
        ;
}

__global__ void block_barrier(const float *in, float *out, int tiles)
{
    __shared__ alignas(16) float tile[128];
    __shared__ uint64_t full;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&full, 1);
    __syncthreads();
    float sum = 0.0f;
    for (int t = 0; t < tiles; ++t) {
        if (threadIdx.x == 0)
            fetch(tile, in + t * 128, &full);
        wait(&full, t & 1);
        sum += tile[127 - threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void second_mbarrier(const float *in, float *out, int tiles)
{
    __shared__ alignas(16) float tile[128];
    __shared__ uint64_t full, empty;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::mbarrier_init(&empty, 128);
    }
    __syncthreads();
    float sum = 0.0f;
    for (int t = 0; t < tiles; ++t) {
        if (threadIdx.x == 0) {
            wait(&empty, (t & 1) ^ 1);
            fetch(tile, in + t * 128, &full);
        }
        wait(&full, t & 1);
        sum += tile[127 - threadIdx.x];
        ptx::mbarrier_arrive(&empty);
    }
    out[threadIdx.x] = sum;
}

// One lane arrives for its warp.
__global__ void lane_arrives(const float *in, float *out, int tiles)
{
    __shared__ alignas(16) float tile[128];
    __shared__ uint64_t full, empty;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::mbarrier_init(&empty, 4);
    }
    __syncthreads();
    float sum = 0.0f;
    for (int t = 0; t < tiles; ++t) {
        if (threadIdx.x == 128) {
            wait(&empty, (t & 1) ^ 1);
            fetch(tile, in + t * 128, &full);
        } else if (threadIdx.x < 128) {
            wait(&full, t & 1);
            sum += tile[127 - threadIdx.x];
            __syncwarp();
            if (threadIdx.x % 32 == 0)
                ptx::mbarrier_arrive(&empty);
        }
    }
    if (threadIdx.x < 128)
        out[threadIdx.x] = sum;
}

__global__ void two_buffers(const float *in, float *out)
{
    __shared__ alignas(16) float tile[2][128];
    __shared__ uint64_t full[2];
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full[0], 1);
        ptx::mbarrier_init(&full[1], 1);
        fetch(tile[0], in, &full[0]);
    }
    __syncthreads();
    wait(&full[0], 0);
    float sum = tile[0][127 - threadIdx.x];
    if (threadIdx.x == 0)
        fetch(tile[1], in + 128, &full[1]);
    wait(&full[1], 0);
    out[threadIdx.x] = sum + tile[1][127 - threadIdx.x];
}

void launch(const float *in, float *out, int tiles)
{
    block_barrier<<<1, 128>>>(in, out, tiles);
    second_mbarrier<<<1, 128>>>(in, out, tiles);
    lane_arrives<<<1, 160>>>(in, out, tiles);
    two_buffers<<<1, 128>>>(in, out);
}
