// Writers may have one round more than the readers, who are gone then.
#include <cuda/barrier>
#include <cuda_runtime.h>

__global__ void join(const int *length, int longest)
{
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::barrier<cuda::thread_scope_block> filled;
    if (threadIdx.x == 0)
        init(&filled, 128);
    __syncthreads();
    const bool writes = threadIdx.x < 64;
    const int rounds = writes ? min(length[threadIdx.x], longest + 1) : longest;
    if (writes) {
        for (int i = 0; i < rounds; ++i)
            filled.arrive_and_wait();
        filled.arrive_and_drop(); // expect: arrive-divergent
    } else {
        for (int i = 0; i < rounds; ++i)
            filled.arrive_and_wait();
    }
}

void run(const int *length, int longest)
{
    join<<<1, 128>>>(length, longest);
}
