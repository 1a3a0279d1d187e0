// One thread waits for all: whoever does not read the data need not wait.
#include <cuda/barrier>
#include <utility>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void first_row(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ alignas(16) float tile[128];
    __shared__ block_barrier full;
    if (threadIdx.x == 0)
        init(&full, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        cuda::device::memcpy_async_tx(tile, in, cuda::aligned_size_t<16>(512), full);
        auto token = cuda::device::barrier_arrive_tx(full, 1, 512);
        full.wait(std::move(token));
        float sum = 0.0f;
        for (int i = 0; i < 128; ++i)
            sum += tile[i];
        out[blockIdx.x] = sum;
    }
}

void run(const float *in, float *out)
{
    first_row<<<16, 128>>>(in, out);
}
