// options: --unsafe-fixes
#include <cstdint>
#include <cuda/barrier>
#include <cuda/ptx>

__device__ void named_sync(int id, int threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

__global__ void half_by_argument(float *data)
{
    __shared__ float tile[64];
    if (threadIdx.x < 64) {
        tile[threadIdx.x] = data[threadIdx.x];
        named_sync(1, 128);
        data[threadIdx.x] = tile[63 - threadIdx.x];
    }
}

__global__ void half_in_the_template(float *data)
{
    __shared__ float tile[64];
    if (threadIdx.x < 64) {
        tile[threadIdx.x] = data[threadIdx.x];
        asm volatile("bar.sync 2, 96;" ::: "memory");
        data[threadIdx.x] = tile[63 - threadIdx.x];
    }
}

__global__ void number_too_high(float *data)
{
    __shared__ float tile[64];
    tile[threadIdx.x] = data[threadIdx.x];
    named_sync(17, 64);
    data[threadIdx.x] = tile[63 - threadIdx.x];
}

__global__ void half_arrives(const float *in, float *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> stored;
    __shared__ float line[64];
    if (threadIdx.x == 0)
        init(&stored, 128);
    __syncthreads();
    if (threadIdx.x < 64) {
        line[threadIdx.x] = in[threadIdx.x];
        stored.arrive_and_wait();
        out[threadIdx.x] = line[63 - threadIdx.x];
    }
}

__global__ void parity_of_the_first_phase(const float *in, float *out)
{
    __shared__ uint64_t stored;
    __shared__ float line[128];
    if (threadIdx.x == 0)
        cuda::ptx::mbarrier_init(&stored, 128);
    __syncthreads();
    line[threadIdx.x] = in[threadIdx.x];
    cuda::ptx::mbarrier_arrive(&stored);
    while (!cuda::ptx::mbarrier_try_wait_parity(&stored, 1)) {
    }
    out[threadIdx.x] = line[127 - threadIdx.x];
}

__global__ void elements_for_bytes(const int *in, int *out)
{
    using block_barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ alignas(16) int tile[256];
    __shared__ block_barrier full;
    if (threadIdx.x == 0)
        init(&full, blockDim.x);
    __syncthreads();
    block_barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cuda::device::memcpy_async_tx(tile, in, cuda::aligned_size_t<16>(sizeof(tile)), full);
        token = cuda::device::barrier_arrive_tx(full, 1, 256);
    } else {
        token = full.arrive();
    }
    full.wait(std::move(token));
    out[threadIdx.x] = tile[255 - threadIdx.x];
}

void launch(const float *in, float *out, const int *numbers, int *results)
{
    half_by_argument<<<1, 128>>>(out);
    half_in_the_template<<<1, 128>>>(out);
    number_too_high<<<1, 64>>>(out);
    half_arrives<<<1, 128>>>(in, out);
    parity_of_the_first_phase<<<1, 128>>>(in, out);
    elements_for_bytes<<<1, 256>>>(numbers, results);
}
