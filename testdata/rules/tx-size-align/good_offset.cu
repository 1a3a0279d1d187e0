// The header takes a whole unit; where the data comes from is not known and not judged.
#include <cuda/barrier>
#include <utility>

using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void receive(const char *in, char *out)
{
    __shared__ alignas(16) char packet[256 + 16];
    __shared__ barrier full;
    if (threadIdx.x == 0)
        init(&full, blockDim.x);
    __syncthreads();
    barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cuda::device::memcpy_async_tx(packet + 16, in, cuda::aligned_size_t<16>(256), full);
        token = cuda::device::barrier_arrive_tx(full, 1, 256);
    } else {
        token = full.arrive();
    }
    full.wait(std::move(token));
    out[threadIdx.x] = packet[16 + threadIdx.x];
}

void run(const char *in, char *out)
{
    receive<<<1, 128>>>(in, out);
}
