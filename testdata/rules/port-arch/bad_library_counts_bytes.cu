// arch: sm_80
// The library has its barriers on every target, and bytes for them from sm_90 on only.
#include <cuda/barrier>
#include <utility>

__global__ void reverse(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ alignas(16) float tile[128];
    __shared__ cuda::barrier<cuda::thread_scope_block> full;
    if (threadIdx.x == 0)
        init(&full, 128);
    __syncthreads();
    cuda::barrier<cuda::thread_scope_block>::arrival_token token;
    if (threadIdx.x == 0) {
        cuda::device::memcpy_async_tx(tile, in, cuda::aligned_size_t<16>(512), full); // expect: port-arch
        token = cuda::device::barrier_arrive_tx(full, 1, 512); // expect: port-arch
    } else {
        token = full.arrive();
    }
    full.wait(std::move(token));
    out[threadIdx.x] = tile[127 - threadIdx.x];
}

void run(const float *in, float *out)
{
    reverse<<<1, 128>>>(in, out);
}
