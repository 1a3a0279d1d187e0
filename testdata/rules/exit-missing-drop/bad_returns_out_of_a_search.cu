// A thread that finds its key leaves out of the loop that searches, which holds no barrier itself;
// behind it the others wait for all.
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
    for (int i = 0; i < count; ++i) {
        if (keys[i] == key) {
            found[threadIdx.x] = i;
            return; // expect: exit-missing-drop
        }
    }
    atomicAdd(&missing, 1);
    counted.arrive_and_wait();
    found[threadIdx.x] = -missing;
}

void run(const int *keys, const int *wanted, int *found, int count)
{
    missing_keys<<<1, 128>>>(keys, wanted, found, count);
}
