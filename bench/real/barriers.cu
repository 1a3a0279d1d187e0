// Kernels that do nothing but synchronise: what one barrier operation costs. Each thread loads the
// number of rounds for itself, so that no barrier can be shown to be reached by all threads; but for
// the kernels `..._of_all`, where it is a parameter, and `..._if_agreed`, where all threads load the
// same, which they can be asked.
#include <cstdio>
#include <cuda/barrier>

enum { ROUNDS = 2000, BLOCKS = 528, THREADS = 256 };

__global__ void sync_of_all(int rounds)
{
    for (int i = 0; i < rounds; i++) {
        __syncthreads();
    }
}

__global__ void sync(const volatile int *rounds)
{
    for (int i = 0, n = rounds[threadIdx.x]; i < n; i++) {
        __syncthreads();
    }
}

// Halves of the block, each with a barrier of its own.
__device__ void sync_half()
{
    int half = threadIdx.x / (THREADS / 2);
    asm volatile("bar.sync %0, %1;" : : "r"(1 + half), "r"(THREADS / 2) : "memory");
}

__global__ void named(const volatile int *rounds)
{
    for (int i = 0, n = rounds[threadIdx.x]; i < n; i++) {
        sync_half();
    }
}

__global__ void named_of_all(int rounds)
{
    for (int i = 0; i < rounds; i++) {
        sync_half();
    }
}

__global__ void arrive_and_wait(const volatile int *rounds)
{
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0) {
        init(&bar, THREADS);
    }
    __syncthreads();
    for (int i = 0, n = rounds[threadIdx.x]; i < n; i++) {
        bar.arrive_and_wait();
    }
}

__global__ void both(const volatile int *rounds)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0) {
        init(&bar, THREADS);
    }
    __syncthreads();
    for (int i = 0, n = rounds[threadIdx.x]; i < n; i++) {
        bar.arrive_and_wait();
        __syncthreads();
    }
}

__global__ void both_if_agreed(const volatile int *rounds)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0) {
        init(&bar, THREADS);
    }
    __syncthreads();
    for (int i = 0, n = *rounds; i < n; i++) {
        bar.arrive_and_wait();
        __syncthreads();
    }
}

__global__ void named_if_agreed(const volatile int *rounds)
{
    for (int i = 0, n = *rounds; i < n; i++) {
        sync_half();
    }
}

__global__ void both_of_all(int rounds)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0) {
        init(&bar, THREADS);
    }
    __syncthreads();
    for (int i = 0; i < rounds; i++) {
        bar.arrive_and_wait();
        __syncthreads();
    }
}

// A kernel that is over at once: its beginning and end.
__global__ void empty(const volatile int *rounds)
{
    if (rounds[threadIdx.x] == 0) {
        __syncthreads();
    }
}

int main()
{
    int *rounds, counts[1024];
    for (int &count : counts) {
        count = ROUNDS;
    }
    cudaMalloc(&rounds, sizeof counts);
    cudaMemcpy(rounds, counts, sizeof counts, cudaMemcpyHostToDevice);
    for (int i = 0; i < 3; i++) {
        sync_of_all<<<BLOCKS, THREADS>>>(ROUNDS);
        sync<<<BLOCKS, THREADS>>>(rounds);
        named<<<BLOCKS, THREADS>>>(rounds);
        arrive_and_wait<<<BLOCKS, THREADS>>>(rounds);
        both<<<BLOCKS, THREADS>>>(rounds);
        named_of_all<<<BLOCKS, THREADS>>>(ROUNDS);
        both_of_all<<<BLOCKS, THREADS>>>(ROUNDS);
        named_if_agreed<<<BLOCKS, THREADS>>>(rounds);
        both_if_agreed<<<BLOCKS, THREADS>>>(rounds);
        empty<<<BLOCKS, THREADS>>>(rounds);
        empty<<<BLOCKS, 1024>>>(rounds);
    }
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
