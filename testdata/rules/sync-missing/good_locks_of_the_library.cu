// One warp's leader at a time, or none before all have counted down: by cuda::atomic, by a semaphore,
// by a latch, and by an exchange in assembly.
#include <cuda/atomic>
#include <cuda/latch>
#include <cuda/semaphore>
#include <new>

using flag = cuda::atomic<int, cuda::thread_scope_block>;
using semaphore = cuda::binary_semaphore<cuda::thread_scope_block>;
using latch = cuda::latch<cuda::thread_scope_block>;

__global__ void add_under_a_flag(int *sums)
{
    __shared__ alignas(flag) unsigned char memory[sizeof(flag)];
    __shared__ int sum;
    flag &lock = *reinterpret_cast<flag *>(memory);
    if (threadIdx.x == 0) {
        new (&lock) flag(0);
        sum = 0;
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        while (lock.exchange(1, cuda::memory_order_acquire)) {
        }
        sum += 1;
        lock.store(0, cuda::memory_order_release);
    }
    __syncthreads();
    sums[threadIdx.x] = sum;
}

__global__ void add_under_a_semaphore(int *sums)
{
    __shared__ alignas(semaphore) unsigned char memory[sizeof(semaphore)];
    __shared__ int sum;
    semaphore &one_at_a_time = *reinterpret_cast<semaphore *>(memory);
    if (threadIdx.x == 0) {
        new (&one_at_a_time) semaphore(1);
        sum = 0;
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        one_at_a_time.acquire();
        sum += 1;
        one_at_a_time.release();
    }
    __syncthreads();
    sums[threadIdx.x] = sum;
}

__global__ void hand_over_by_a_latch(int *out)
{
    __shared__ alignas(latch) unsigned char memory[sizeof(latch)];
    __shared__ int stored[128];
    latch &all_stored = *reinterpret_cast<latch *>(memory);
    if (threadIdx.x == 0)
        new (&all_stored) latch(128);
    __syncthreads();
    if (threadIdx.x < 128) {
        stored[threadIdx.x] = threadIdx.x;
        all_stored.count_down();
    } else {
        all_stored.wait();
        out[threadIdx.x - 128] = stored[255 - threadIdx.x];
    }
}

__device__ inline int exchange(int *word, int value)
{
    int old;
    asm volatile("atom.acquire.cta.shared.exch.b32 %0, [%1], %2;"
                 : "=r"(old)
                 : "r"((unsigned)__cvta_generic_to_shared(word)), "r"(value)
                 : "memory");
    return old;
}

__global__ void add_under_an_exchange(int *sums)
{
    __shared__ int lock, sum;
    if (threadIdx.x == 0)
        lock = sum = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        int taken;
        do {
            taken = exchange(&lock, 1);
        } while (taken);
        sum += 1;
        asm volatile("st.release.cta.shared.b32 [%0], 0;" ::"r"(
                         (unsigned)__cvta_generic_to_shared(&lock))
                     : "memory");
    }
    __syncthreads();
    sums[threadIdx.x] = sum;
}

void launch_all(int *sums)
{
    add_under_a_flag<<<1, 256>>>(sums);
    add_under_a_semaphore<<<1, 256>>>(sums);
    hand_over_by_a_latch<<<1, 256>>>(sums);
    add_under_an_exchange<<<1, 256>>>(sums);
}
