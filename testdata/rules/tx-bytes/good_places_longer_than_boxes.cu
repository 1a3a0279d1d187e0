// Factors lie in places that are aligned to more than they are long, so that both together are as
// long as the place of one; and at the end a larger box goes over the stages.
#include <cuda.h>
#include <cstdint>

constexpr int tall = 128, wide = 128, stages = 4, last = 4096;

struct alignas(1024) place {
    float factor[128]; // half of the place
};

struct tiles {
    place left[stages], right[stages];
    uint64_t full[stages], empty[stages], over;
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
         const __grid_constant__ CUtensorMap bias, float *out, int steps)
{
    extern __shared__ __align__(1024) unsigned char raw[];
    tiles &tile = *reinterpret_cast<tiles *>(raw);
    if (threadIdx.x == 0) {
        for (int i = 0; i < stages; ++i) {
            make(&tile.full[i], 1);
            make(&tile.empty[i], 128);
        }
        make(&tile.over, 1);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x == 128) {
        for (int step = 0; step < steps; ++step) {
            const int stage = step % stages;
            wait(&tile.empty[stage], (step / stages & 1) ^ 1);
            expect(&tile.full[stage],
                   (tall + wide) * sizeof(float));
            load(&tile.left[stage], &left, &tile.full[stage], blockIdx.x * tall, step);
            load(&tile.right[stage], &right, &tile.full[stage], blockIdx.y * wide, step);
        }
        for (int i = 0; i < stages; ++i) {
            const int step = steps + i, stage = step % stages;
            wait(&tile.empty[stage], (step / stages & 1) ^ 1);
        }
        expect(&tile.over, last);
        load(&tile.left[0], &bias, &tile.over, blockIdx.x * tall, blockIdx.y);
    } else if (threadIdx.x < 128) {
        float sum = 0;
        for (int step = 0; step < steps; ++step) {
            const int stage = step % stages;
            wait(&tile.full[stage], step / stages & 1);
            sum += tile.left[stage].factor[threadIdx.x] * tile.right[stage].factor[threadIdx.x];
            arrive(&tile.empty[stage]);
        }
        wait(&tile.over, 0);
        sum += reinterpret_cast<const float *>(raw)[threadIdx.x];
        out[(blockIdx.y * gridDim.x + blockIdx.x) * 128 + threadIdx.x] = sum;
    }
}

void run(const CUtensorMap &left, const CUtensorMap &right, const CUtensorMap &bias, float *out,
         int steps)
{
    cudaFuncSetAttribute(sums, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(tiles));
    sums<<<dim3(32, 64), 160, sizeof(tiles)>>>(left, right, bias, out, steps);
}
