// The copy goes behind a header of eight bytes.
#include <cuda/barrier>
#include <utility>

using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void receive(const char *in, char *out)
{
    __shared__ alignas(16) char packet[256 + 8];
    __shared__ barrier full;
    if (threadIdx.x == 0)
        init(&full, blockDim.x);
    __syncthreads();
    barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cuda::device::memcpy_async_tx(packet + 8, in, cuda::aligned_size_t<16>(256), full); // expect: tx-size-align
        token = cuda::device::barrier_arrive_tx(full, 1, 256);
    } else {
        token = full.arrive();
    }
    full.wait(std::move(token));
    out[threadIdx.x] = packet[8 + threadIdx.x];
}

void run(const char *in, char *out)
{
    receive<<<1, 128>>>(in, out);
}
