// A row of as many bytes as the host says comes in two parts, the lower one cut to whole vectors and
// the upper one with what is left; in as many pieces as it has, announced one by one; or rounded
// down to whole vectors, as only so much of it is ever asked for.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__device__ void expect(uint64_t *bar, uint32_t bytes)
{
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, bar, bytes);
}

__device__ void bring(void *to, const void *from, uint32_t bytes, uint64_t *bar)
{
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, to, from, bytes, bar);
}

__device__ void wait(uint64_t *bar)
{
    while (!ptx::mbarrier_try_wait_parity(bar, 0)) {
    }
}

__global__ void by_halves(const char *in, int *out, int row_bytes)
{
    extern __shared__ __align__(128) char row[];
    __shared__ uint64_t there;
    if (threadIdx.x == 0) {
        const int lower = row_bytes / 2 & ~15;
        ptx::mbarrier_init(&there, 1);
        expect(&there, row_bytes);
        bring(row, in + blockIdx.x * row_bytes, lower, &there);
        bring(row + lower, in + blockIdx.x * row_bytes + lower, row_bytes - lower, &there);
    }
    __syncthreads();
    wait(&there);
    for (int i = threadIdx.x; i < row_bytes; i += blockDim.x)
        out[blockIdx.x * row_bytes + i] = row[row_bytes - 1 - i];
}

__global__ void by_pieces(const char *in, int *out, int row_bytes)
{
    extern __shared__ __align__(128) char row[];
    __shared__ uint64_t there;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&there, 1);
        expect(&there, row_bytes);
        for (int at = 0; at < row_bytes / 256; ++at)
            bring(row + at * 256, in + blockIdx.x * row_bytes + at * 256, 256, &there);
    }
    __syncthreads();
    wait(&there);
    for (int i = threadIdx.x; i < row_bytes; i += blockDim.x)
        out[blockIdx.x * row_bytes + i] = row[row_bytes - 1 - i];
}

__global__ void whole_vectors(const char *in, int *out, int row_bytes)
{
    extern __shared__ __align__(128) char row[];
    __shared__ uint64_t there;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&there, 1);
        expect(&there, row_bytes);
        bring(row, in + blockIdx.x * row_bytes, row_bytes / 16 * 16, &there);
    }
    __syncthreads();
    wait(&there);
    for (int i = threadIdx.x; i < row_bytes; i += blockDim.x)
        out[blockIdx.x * row_bytes + i] = row[row_bytes - 1 - i];
}

void launch(const char *in, int *out, int vectors, int rows)
{
    by_halves<<<rows, 128, 16 * vectors>>>(in, out, 16 * vectors);
    by_pieces<<<rows, 128, 256 * vectors>>>(in, out, 256 * vectors);
    whole_vectors<<<rows, 128, 16 * vectors>>>(in, out, 16 * vectors);
}
