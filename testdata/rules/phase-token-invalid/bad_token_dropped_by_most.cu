// All threads arrive, and only the one that starts the copy keeps its token: the others wait with none,
// and are missing at the barrier of the block behind, which is right where it stands.
#include <cuda/barrier>
#include <cuda_runtime.h>
#include <utility>

using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void __launch_bounds__(64) add_one(const float *__restrict__ in, float *__restrict__ out, int rounds)
{
    __shared__ alignas(128) float row[64];
    __shared__ barrier arrived;
    if (threadIdx.x == 0)
        init(&arrived, blockDim.x);
    __syncthreads();
    for (int r = 0; r < rounds; ++r) {
        barrier::arrival_token token;
        if (threadIdx.x == 0) {
            cuda::device::memcpy_async_tx(row, in + r * 64, cuda::aligned_size_t<16>(sizeof row), arrived);
            token = cuda::device::barrier_arrive_tx(arrived, 1, sizeof row);
        } else {
            (void)arrived.arrive();
        }
        arrived.wait(std::move(token)); // expect: phase-token-invalid
        const float mine = row[threadIdx.x];
        __syncthreads();
        out[r * 64 + threadIdx.x] = mine + 1.0f;
    }
}

void run(const float *in, float *out, int rounds)
{
    add_one<<<1, 64>>>(in, out, rounds);
}
