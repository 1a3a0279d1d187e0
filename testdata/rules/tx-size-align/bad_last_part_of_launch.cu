// A stream of 3000 bytes in parts of 512: the last one has 440, which is no multiple of 16. Only
// with the number that the launch passes is the size known.
#include <cuda_runtime.h>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void sum_bytes(const unsigned char *stream, unsigned *out, int bytes)
{
    __shared__ alignas(16) unsigned char part[512];
    __shared__ uint64_t ready;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&ready, 1);
    __syncthreads();
    unsigned sum = 0, parity = 0;
    for (int from = 0; from < bytes; from += 512) {
        const int size = min(512, bytes - from);
        if (threadIdx.x == 0) {
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                           &ready, size);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, part, stream + from, size, // expect: tx-size-align
                               &ready);
        }
        while (!ptx::mbarrier_try_wait_parity(&ready, parity)) {
        }
        parity ^= 1;
        for (int i = threadIdx.x; i < size; i += blockDim.x)
            sum += part[i];
        __syncthreads();
    }
    atomicAdd(out, sum);
}

void launch(const unsigned char *stream, unsigned *out)
{
    sum_bytes<<<1, 128>>>(stream, out, 3000);
}
