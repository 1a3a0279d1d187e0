// Two arrays of one union without a name: the flags lie where the keys go.
#include <cuda_runtime.h>

template <int Threads, typename Key>
__global__ void order(const unsigned *flag, const Key *in, Key *out)
{
    struct Storage {
        union {
            Key key[2 * Threads];
            unsigned flag[Threads];
        };
        int range[Threads];
    };
    __shared__ Storage storage;
    storage.flag[threadIdx.x] = flag[threadIdx.x];
    __syncthreads();
    const unsigned other = storage.flag[Threads - 1 - threadIdx.x];
    storage.key[threadIdx.x] = in[threadIdx.x]; // expect: sync-missing
    __syncthreads();
    out[threadIdx.x] = storage.key[Threads - 1 - threadIdx.x] + other;
}

void run(const unsigned *flag, const unsigned *in, unsigned *out)
{
    order<128, unsigned><<<1, 128>>>(flag, in, out);
}
