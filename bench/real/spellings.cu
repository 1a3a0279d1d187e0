// Kernels that do little but synchronise, as people write them: one for each way to spell a barrier.
// How many rounds there are is a parameter. What each costs when it is checked stands in bench/gpu.md
// beside the kernels of barriers.cu, which hide their number of rounds.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>
#include <cuda_awbarrier_primitives.h>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

#pragma nv_diag_suppress static_var_with_dynamic_init

enum { ROUNDS = 2000, BLOCKS = 528, THREADS = 256, STAGES = 4 };

__global__ void token(int rounds)
{
    __shared__ block_barrier barrier;
    if (threadIdx.x == 0) {
        init(&barrier, blockDim.x);
    }
    __syncthreads();
    for (int i = 0; i < rounds; i++) {
        block_barrier::arrival_token token = barrier.arrive();
        barrier.wait(std::move(token));
        __syncthreads();
    }
}

__global__ void group(int rounds)
{
    cg::thread_block block = cg::this_thread_block();
    __shared__ block_barrier barrier;
    if (block.thread_rank() == 0) {
        init(&barrier, block.size());
    }
    block.sync();
    for (int i = 0; i < rounds; i++) {
        auto token = barrier.arrive();
        block.sync();
        barrier.wait(std::move(token));
    }
}

__global__ void by_ptx(int rounds)
{
    __shared__ uint64_t barrier;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&barrier, blockDim.x);
    }
    __syncthreads();
    for (int i = 0; i < rounds; i++) {
        uint64_t token = ptx::mbarrier_arrive(&barrier);
        while (!ptx::mbarrier_try_wait(&barrier, token)) {
        }
    }
}

__global__ void primitives(int rounds)
{
    __shared__ __mbarrier_t barrier;
    if (threadIdx.x == 0) {
        __mbarrier_init(&barrier, blockDim.x);
    }
    __syncthreads();
    for (int i = 0; i < rounds; i++) {
        __mbarrier_token_t token = __mbarrier_arrive(&barrier);
        while (!__mbarrier_test_wait(&barrier, token)) {
        }
        __syncthreads();
    }
}

__device__ uint32_t shared_address(const void *pointer)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

__device__ void wait_parity(const uint64_t *barrier, uint32_t parity)
{
    asm volatile("{\n.reg .pred done;\n"
                 "again:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@done bra.uni over;\nbra.uni again;\nover:\n}"
                 :
                 : "r"(shared_address(barrier)), "r"(parity)
                 : "memory");
}

__device__ void arrive(uint64_t *barrier)
{
    asm volatile("{\n.reg .b64 state;\nmbarrier.arrive.shared::cta.b64 state, [%0];\n}"
                 :
                 : "r"(shared_address(barrier))
                 : "memory");
}

__global__ void parity(int rounds)
{
    __shared__ uint64_t barrier;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;"
                     :
                     : "r"(shared_address(&barrier)), "r"(blockDim.x));
    }
    __syncthreads();
    uint32_t phase = 0;
    for (int i = 0; i < rounds; i++) {
        arrive(&barrier);
        wait_parity(&barrier, phase);
        phase ^= 1;
        __syncthreads();
    }
}

// One half fills the stages, the other empties them.
__global__ void ring(int rounds)
{
    __shared__ block_barrier full[STAGES], empty[STAGES];
    if (threadIdx.x < STAGES) {
        init(&full[threadIdx.x], blockDim.x);
        init(&empty[threadIdx.x], blockDim.x);
    }
    __syncthreads();
    if (threadIdx.x < blockDim.x / 2) {
        for (int i = 0; i < rounds; i++) {
            empty[i % STAGES].arrive_and_wait();
            (void)full[i % STAGES].arrive();
        }
    } else {
        for (int i = 0; i < STAGES; i++) {
            (void)empty[i].arrive();
        }
        for (int i = 0; i < rounds; i++) {
            full[i % STAGES].arrive_and_wait();
            (void)empty[i % STAGES].arrive();
        }
    }
}

// The halves let each other go on by turns.
__global__ void turns(int rounds)
{
    const bool is_first = threadIdx.x < THREADS / 2;
    for (int i = 0; i < rounds; i++) {
        if (is_first) {
            asm volatile("bar.arrive 1, 256;" ::: "memory");
            asm volatile("bar.sync 2, 256;" ::: "memory");
        } else {
            asm volatile("bar.sync 1, 256;" ::: "memory");
            asm volatile("bar.arrive 2, 256;" ::: "memory");
        }
    }
}

__global__ void of_half(int rounds)
{
    __shared__ block_barrier barrier;
    if (threadIdx.x == 0) {
        init(&barrier, THREADS / 2);
    }
    __syncthreads();
    if (threadIdx.x < THREADS / 2) {
        for (int i = 0; i < rounds; i++) {
            barrier.arrive_and_wait();
        }
    }
    __syncthreads();
}

__global__ void any(int rounds, int *out)
{
    int found = 0;
    for (int i = 0; i < rounds; i++) {
        found += __syncthreads_or(i == static_cast<int>(threadIdx.x));
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = found;
}

__global__ void sums(int rounds, int *out)
{
    __shared__ int part[THREADS / 32];
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    int value = static_cast<int>(threadIdx.x);
    for (int i = 0; i < rounds; i++) {
        const int sum = cg::reduce(tile, value & 1, cg::plus<int>());
        if (tile.thread_rank() == 0) {
            part[threadIdx.x / 32] = sum;
        }
        __syncthreads();
        value += part[threadIdx.x % (THREADS / 32)];
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ void pipeline(int rounds, const int4 *in, int4 *out)
{
    __shared__ int4 buffer[2][THREADS];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state);
    for (int i = 0; i < rounds; i++) {
        pipe.producer_acquire();
        cuda::memcpy_async(&buffer[i % 2][threadIdx.x], &in[threadIdx.x], sizeof(int4), pipe);
        pipe.producer_commit();
        pipe.consumer_wait();
        out[blockIdx.x * blockDim.x + threadIdx.x] = buffer[i % 2][THREADS - 1 - threadIdx.x];
        pipe.consumer_release();
    }
}

__global__ void __cluster_dims__(2) cluster(int rounds)
{
    cg::cluster_group blocks = cg::this_cluster();
    for (int i = 0; i < rounds; i++) {
        blocks.sync();
    }
}

// How many launches of each is an argument: checks that are done once are a part of the first one.
int main(int argc, char **argv)
{
    const int launches = argc > 1 ? std::atoi(argv[1]) : 3;
    char *memory;
    const size_t half_of_it = sizeof(int4) * BLOCKS * THREADS;
    cudaMalloc(&memory, 2 * half_of_it);
    cudaMemset(memory, 0, 2 * half_of_it);
    int *out = reinterpret_cast<int *>(memory);
    const int4 *in = reinterpret_cast<int4 *>(memory + half_of_it);
    for (int i = 0; i < launches; i++) {
        token<<<BLOCKS, THREADS>>>(ROUNDS);
        group<<<BLOCKS, THREADS>>>(ROUNDS);
        by_ptx<<<BLOCKS, THREADS>>>(ROUNDS);
        primitives<<<BLOCKS, THREADS>>>(ROUNDS);
        parity<<<BLOCKS, THREADS>>>(ROUNDS);
        ring<<<BLOCKS, THREADS>>>(ROUNDS);
        turns<<<BLOCKS, THREADS>>>(ROUNDS);
        of_half<<<BLOCKS, THREADS>>>(ROUNDS);
        any<<<BLOCKS, THREADS>>>(ROUNDS, out);
        sums<<<BLOCKS, THREADS>>>(ROUNDS, out);
        pipeline<<<BLOCKS, THREADS>>>(ROUNDS, in, reinterpret_cast<int4 *>(memory));
        cluster<<<BLOCKS, THREADS>>>(ROUNDS);
    }
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
