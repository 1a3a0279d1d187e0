// Producer and consumer code both hold the set-up of the same pair of barriers.
#include <cuda_awbarrier_primitives.h>

__device__ void set_up(__mbarrier_t *full, __mbarrier_t *empty)
{
    __mbarrier_init(full, 32);  // expect: init-by-many
    __mbarrier_init(empty, 32); // expect: init-by-many
}

__global__ void increment(const int *__restrict__ in, int *__restrict__ out, int tiles)
{
    __shared__ __mbarrier_t full, empty;
    __shared__ int tile[32];
    const int role = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane == 0)
        set_up(&full, &empty);
    __syncthreads();
    for (int t = 0; t < tiles; ++t) {
        if (role == 0) {
            while (!__mbarrier_test_wait_parity(&empty, (t & 1) == 0)) {
            }
            tile[lane] = in[t * 32 + lane];
            (void)__mbarrier_arrive(&full);
        } else {
            while (!__mbarrier_test_wait_parity(&full, (t & 1) == 1)) {
            }
            out[t * 32 + lane] = tile[lane] + 1;
            (void)__mbarrier_arrive(&empty);
        }
    }
}

void run(const int *in, int *out, int tiles)
{
    increment<<<1, 64>>>(in, out, tiles);
}
