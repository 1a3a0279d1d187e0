// A helper returns before it arrives; its thread comes to the wait all the same.
#include <cstdint>
#include <cuda/ptx>
namespace ptx = cuda::ptx;
struct Collector {
    uint64_t *b;
    int *bag;
    __device__ void offer(int v) const {
        if (v < 0)
            return;
        bag[threadIdx.x] = v;
        ptx::mbarrier_arrive(b); // expect: arrive-divergent
    }
};
__global__ void bags(const int *in, int *out, int rounds) {
    __shared__ uint64_t b;
    __shared__ int bag[128];
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&b, 128);
    bag[threadIdx.x] = 0;
    __syncthreads();
    Collector c{&b, bag};
    for (int r = 0; r < rounds; ++r) {
        c.offer(in[r * 128 + threadIdx.x]);
        while (!ptx::mbarrier_try_wait_parity(&b, r & 1)) {
        }
        out[r * 128 + threadIdx.x] = bag[127 - threadIdx.x];
        __syncthreads();
    }
}
void launch(const int *a, int *b, int n) { bags<<<1, 128>>>(a, b, n); }
