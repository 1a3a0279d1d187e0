// Two unions without a name in one record: the flags lie behind the keys.
#include <cuda_runtime.h>

template <int Threads, typename Key>
__global__ void order(const unsigned *flag, const Key *in, Key *out)
{
    struct Storage {
        union {
            Key key[2 * Threads];
            Key value[2 * Threads];
        };
        union {
            int range[Threads];
            unsigned flag[Threads];
        };
    };
    __shared__ Storage storage;
    storage.flag[threadIdx.x] = flag[threadIdx.x];
    __syncthreads();
    const unsigned other = storage.flag[Threads - 1 - threadIdx.x];
    storage.key[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = storage.key[Threads - 1 - threadIdx.x] + other;
}

void run(const unsigned *flag, const unsigned *in, unsigned *out)
{
    order<128, unsigned><<<1, 128>>>(flag, in, out);
}
