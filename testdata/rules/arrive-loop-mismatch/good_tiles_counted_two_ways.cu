// The producer strides over the columns, the consumers count tiles rounded up; in the second kernel
// one role has two loops where the other has their product. The numbers of rounds are the same.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int stages = 3, width = 64;

__device__ void wait(uint64_t *barrier, uint32_t parity)
{
    while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
    }
}

__device__ void start(uint64_t *full, uint64_t *empty)
{
    if (threadIdx.x == 0) {
        for (int s = 0; s < stages; ++s) {
            ptx::mbarrier_init(&full[s], 1);
            ptx::mbarrier_init(&empty[s], width);
        }
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
}

struct Place {
    int stage = 0;
    uint32_t phase = 0;

    __device__ void next()
    {
        if (++stage == stages) {
            stage = 0;
            phase ^= 1;
        }
    }
};

__device__ void fill(float *to, const float *from, uint64_t *full, uint64_t *empty, uint32_t phase)
{
    wait(empty, phase ^ 1);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full,
                                   width * 4);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, to, from, width * 4, full);
}

__global__ void __launch_bounds__(96) strided(const float *in, float *out, int columns)
{
    __shared__ alignas(128) float tile[stages][width];
    __shared__ uint64_t full[stages], empty[stages];
    start(full, empty);
    Place at;
    if (threadIdx.x == width) {
        for (int c = 0; c < columns; c += width, at.next())
            fill(tile[at.stage], in + c, &full[at.stage], &empty[at.stage], at.phase);
    } else if (threadIdx.x < width) {
        float sum = 0.0f;
        const int tiles = (columns + width - 1) / width;
        for (int t = 0; t < tiles; ++t, at.next()) {
            wait(&full[at.stage], at.phase);
            sum += tile[at.stage][threadIdx.x];
            ptx::mbarrier_arrive(&empty[at.stage]);
        }
        out[threadIdx.x] = sum;
    }
}

__global__ void __launch_bounds__(96) nested(const float *in, float *out, int rows, int tiles)
{
    __shared__ alignas(128) float tile[stages][width];
    __shared__ uint64_t full[stages], empty[stages];
    start(full, empty);
    Place at;
    if (threadIdx.x == width) {
        for (int t = 0; t < rows * tiles; ++t, at.next())
            fill(tile[at.stage], in + t * width, &full[at.stage], &empty[at.stage], at.phase);
    } else if (threadIdx.x < width) {
        for (int r = 0; r < rows; ++r) {
            float sum = 0.0f;
            for (int t = 0; t < tiles; ++t, at.next()) {
                wait(&full[at.stage], at.phase);
                sum += tile[at.stage][threadIdx.x];
                ptx::mbarrier_arrive(&empty[at.stage]);
            }
            out[r * width + threadIdx.x] = sum;
        }
    }
}

void run(const float *in, float *out, int rows, int columns)
{
    strided<<<1, 96>>>(in, out, columns);
    nested<<<1, 96>>>(in, out, rows, columns / width);
}
