// Both warps ask the first word how many rounds there are, and the results are stored from there on.
#include <cuda/barrier>

__global__ void work(int *given)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> full, empty;
    __shared__ int slot[32];
    if (threadIdx.x == 0) {
        init(&full, 64);
        init(&empty, 64);
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        int rounds = given[0];
        for (int i = 0; i < rounds; ++i) {
            empty.arrive_and_wait(); // expect: arrive-divergent
            slot[threadIdx.x] = i * i;
            (void)full.arrive();
        }
    } else {
        for (int i = 0; i < given[0]; ++i) {
            (void)empty.arrive();
            full.arrive_and_wait(); // expect: arrive-divergent
            given[i * 32 + threadIdx.x - 32] = slot[threadIdx.x - 32];
        }
    }
}

void run(int *given)
{
    work<<<1, 64>>>(given);
}
