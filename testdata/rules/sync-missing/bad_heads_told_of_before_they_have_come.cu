// Each warp brings the row of one head to global memory by a bulk store of its own and counts it for
// the blocks that go on with the rows; it has waited until its row was read, not until it had come.
#include <cstdint>
#include <cuda_runtime.h>

constexpr int kHeads = 4, kWidth = 64;

__device__ inline void store_row(float *to, const float *row)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),
                 "r"((uint32_t)__cvta_generic_to_shared(row)), "n"(kWidth * 4)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

__global__ void heads_then_sum(const float *__restrict__ in, float *rows, int *done,
                               float *__restrict__ out, int reductions)
{
    __shared__ alignas(128) float row[kHeads][kWidth];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if ((int)blockIdx.x < reductions) {
        const int head = blockIdx.x * kHeads + warp;
        for (int i = lane; i < kWidth; i += 32)
            row[warp][i] = 2 * in[head * kWidth + i];
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncwarp();
        if (lane == 0) {
            store_row(rows + head * kWidth, row[warp]);
            __threadfence();
            atomicAdd(done, 1); // expect: sync-missing
        }
    } else {
        if (threadIdx.x == 0) {
            while (*(volatile int *)done < reductions * kHeads)
                ;
            __threadfence();
        }
        __syncthreads();
        float sum = 0;
        for (int i = threadIdx.x; i < reductions * kHeads * kWidth; i += blockDim.x)
            sum += rows[i];
        out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
    }
}

void launch(const float *in, float *rows, int *done, float *out, int reductions)
{
    void *args[] = {&in, &rows, &done, &out, &reductions};
    cudaLaunchCooperativeKernel((const void *)heads_then_sum, dim3(64), dim3(kHeads * 32), args, 0,
                                0);
}
