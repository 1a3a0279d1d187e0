// Sizes that are no known numbers: the last tile is announced as it is cut, through other types; two
// parts of a row together; as many rows as there are, one after the other.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__device__ void announce(uint64_t *full, uint32_t bytes)
{
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full,
                                   bytes);
}

__device__ void fetch(void *to, const void *from, uint32_t bytes, uint64_t *full)
{
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, to, from, bytes, full);
}

__device__ void wait(uint64_t *full, int turn)
{
    while (!ptx::mbarrier_try_wait_parity(full, turn)) {
    }
}

__global__ void last_tile(const float *__restrict__ in, float *__restrict__ out, int rows)
{
    __shared__ alignas(16) float tile[16][32];
    __shared__ uint64_t full;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&full, 1);
    __syncthreads();
    for (int row = 0, turn = 0; row < rows; row += 16, turn ^= 1) {
        const int here = rows - row < 16 ? rows - row : 16;
        if (threadIdx.x == 0) {
            announce(&full, here * 32 * sizeof(float));
            fetch(tile, in + row * 32, static_cast<unsigned>(here) * 128u, &full);
        }
        wait(&full, turn);
        if ((int)threadIdx.x < here)
            out[row + threadIdx.x] = tile[threadIdx.x][0];
        __syncthreads();
    }
}

__global__ void two_parts(const float *__restrict__ in, float *__restrict__ out, int length, int cut)
{
    extern __shared__ __align__(16) float row[];
    __shared__ uint64_t full;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&full, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        announce(&full, length * 4);
        fetch(row, in, cut * 4, &full);
        fetch(row + cut, in + 2 * cut, (length - cut) * 4, &full);
    }
    wait(&full, 0);
    out[threadIdx.x] = row[threadIdx.x];
}

__global__ void row_by_row(const float *__restrict__ in, float *__restrict__ out, int rows, int pitch)
{
    __shared__ alignas(16) float tile[64][32];
    __shared__ uint64_t full;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&full, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        announce(&full, rows * sizeof(tile[0]));
        for (int row = 0; row < rows; ++row)
            fetch(tile[row], in + row * pitch, sizeof(tile[0]), &full);
    }
    wait(&full, 0);
    for (int row = 0; row < rows; ++row)
        out[row * 32 + threadIdx.x] = tile[row][threadIdx.x];
}

void run(const float *in, float *out, int rows, int length, int cut, int pitch)
{
    last_tile<<<1, 32>>>(in, out, rows);
    two_parts<<<1, 32, length * sizeof(float)>>>(in, out, length, cut);
    row_by_row<<<1, 32>>>(in, out, rows, pitch);
}
