// Rows go to where a list says, and the list is wiped for its next use. The role that writes
// the rows wipes what it has read, when the other role has long read the same.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int stages = 2, width = 256;

struct place {
    int slot = 0;
    uint32_t parity = 0;
    __device__ void next()
    {
        slot = slot + 1 == stages ? 0 : slot + 1;
        parity ^= slot == 0;
    }
};

__device__ inline void wait(uint64_t *barrier, uint32_t parity)
{
    while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
    }
}

__global__ void spread(const float *in, float *out, int *list, int rows, int ways)
{
    __shared__ alignas(16) float tile[stages][width];
    __shared__ uint64_t full[stages], empty[stages];
    if (threadIdx.x == 0) {
        for (int s = 0; s < stages; ++s) {
            ptx::mbarrier_init(&full[s], 1);
            ptx::mbarrier_init(&empty[s], 1);
        }
    }
    __syncthreads();
    place at;
    if (threadIdx.x < 32) {
        for (int row = blockIdx.x; row < rows; row += gridDim.x) {
            for (int way = 0; way < ways; ++way) {
                if (list[row * ways + way] == -1)
                    continue;
                wait(&empty[at.slot], at.parity ^ 1);
                __syncwarp(); // all lanes have read the list
                if (threadIdx.x == 0) {
                    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                                   ptx::space_shared, &full[at.slot],
                                                   sizeof(tile[0]));
                    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile[at.slot],
                                       in + row * width, sizeof(tile[0]), &full[at.slot]);
                }
                __syncwarp();
                at.next();
            }
        }
    } else {
        for (int row = blockIdx.x; row < rows; row += gridDim.x) {
            for (int way = 0; way < ways; ++way) {
                const int to = list[row * ways + way];
                if (to != -1) {
                    wait(&full[at.slot], at.parity);
                    for (int i = threadIdx.x - 32; i < width; i += 32)
                        out[to * width + i] = tile[at.slot][i];
                    __syncwarp();
                    if (threadIdx.x == 32)
                        ptx::mbarrier_arrive(&empty[at.slot]);
                    at.next();
                }
                __syncwarp();
                if (threadIdx.x == 32)
                    list[row * ways + way] = -1;
                __syncwarp();
            }
        }
    }
    __syncthreads();
}

void run(const float *in, float *out, int *list, int rows, int ways)
{
    spread<<<132, 64>>>(in, out, list, rows, ways);
}
