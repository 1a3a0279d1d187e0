// The loop that searches is left early as well, to the place where it ends anyway.
#include <cuda/barrier>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void missing_keys(const int *keys, const int *wanted, int *found, int count)
{
    __shared__ block_barrier counted;
    __shared__ int missing;
    if (threadIdx.x == 0) {
        init(&counted, blockDim.x);
        missing = 0;
    }
    __syncthreads();
    const int key = wanted[threadIdx.x];
    int at = -1;
    for (int i = 0; i < count; ++i) {
        if (keys[i] == key) {
            at = i;
            break;
        }
    }
    if (at < 0)
        atomicAdd(&missing, 1);
    counted.arrive_and_wait();
    found[threadIdx.x] = at < 0 ? -missing : at;
}

void run(const int *keys, const int *wanted, int *found, int count)
{
    missing_keys<<<1, 128>>>(keys, wanted, found, count);
}
