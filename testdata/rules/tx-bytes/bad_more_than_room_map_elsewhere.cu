// The maps come from elsewhere; the second tile is announced as large as the first, and a stage has
// no room for that.
#include <cuda.h>
#include <cstdint>

constexpr int tall = 128, wide = 64, deep = 64, stages = 4;

struct tiles {
    alignas(1024) unsigned short left[stages][tall * deep];
    alignas(1024) unsigned short right[stages][wide * deep];
    uint64_t full[stages], empty[stages];
};

__device__ uint32_t at(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__device__ void make(uint64_t *bar, int count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(bar)), "r"(count) : "memory");
}

__device__ void expect(uint64_t *bar, uint32_t bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(bar)), "r"(bytes)
                 : "memory");
}

__device__ void arrive(uint64_t *bar)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at(bar)) : "memory");
}

__device__ void wait(uint64_t *bar, uint32_t parity)
{
    asm volatile("{\n\t"
                 ".reg .pred done;\n\t"
                 "again%=: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n\t"
                 "@!done bra again%=;\n\t"
                 "}" ::"r"(at(bar)),
                 "r"(parity)
                 : "memory");
}

__device__ void load(void *to, const CUtensorMap *map, uint64_t *bar, int column, int row)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%3, %4}], [%2];" ::"r"(at(to)),
                 "l"(map), "r"(at(bar)), "r"(column), "r"(row)
                 : "memory");
}

__global__ void __launch_bounds__(160)
    sums(const __grid_constant__ CUtensorMap left, const __grid_constant__ CUtensorMap right,
         unsigned *out, int steps)
{
    extern __shared__ __align__(1024) unsigned char raw[];
    tiles &tile = *reinterpret_cast<tiles *>(raw);
    if (threadIdx.x == 0) {
        for (int i = 0; i < stages; ++i) {
            make(&tile.full[i], 1);
            make(&tile.empty[i], 128);
        }
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x == 128) {
        for (int step = 0; step < steps; ++step) {
            const int stage = step % stages;
            wait(&tile.empty[stage], (step / stages & 1) ^ 1);
            expect(&tile.full[stage], // expect: tx-bytes
                   2 * tall * deep * sizeof(unsigned short));
            load(tile.left[stage], &left, &tile.full[stage], step * deep, blockIdx.x * tall);
            load(tile.right[stage], &right, &tile.full[stage], step * deep, blockIdx.y * wide);
        }
    } else if (threadIdx.x < 128) {
        unsigned sum = 0;
        for (int step = 0; step < steps; ++step) {
            const int stage = step % stages;
            wait(&tile.full[stage], step / stages & 1);
            sum += tile.left[stage][threadIdx.x] + tile.right[stage][threadIdx.x];
            arrive(&tile.empty[stage]);
        }
        out[(blockIdx.y * gridDim.x + blockIdx.x) * 128 + threadIdx.x] = sum;
    }
}

void run(const CUtensorMap &left, const CUtensorMap &right, unsigned *out, int steps)
{
    cudaFuncSetAttribute(sums, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(tiles));
    sums<<<dim3(32, 64), 160, sizeof(tiles)>>>(left, right, out, steps);
}
