// Radix selection: the bins have a word more than there are digits, and rows are longer than that.
// All threads read the bin behind the chosen one, and the faster ones clear the bins for the next
// digit.
#include <cuda_runtime.h>

__global__ void select(const unsigned *in, unsigned *out, int n, int wanted)
{
    __shared__ int bins[2][320];
    __shared__ int chosen;
    unsigned prefix = 0;
    for (int shift = 24; shift >= 0; shift -= 8) {
        if (threadIdx.x < 257)
            bins[0][threadIdx.x] = 0; // expect: sync-missing
        __syncthreads();
        for (int i = threadIdx.x; i < n; i += 512)
            atomicAdd(&bins[0][in[i] >> shift & 255], 1);
        __syncthreads();
        for (int step = 1, from = 0; step < 256; step *= 2, from ^= 1) {
            if (threadIdx.x < 256) {
                int sum = bins[from][threadIdx.x];
                if (threadIdx.x + step < 256)
                    sum += bins[from][threadIdx.x + step];
                bins[from ^ 1][threadIdx.x] = sum;
            }
            __syncthreads();
        }
        if (threadIdx.x < 256 && bins[0][threadIdx.x] >= wanted &&
            bins[0][threadIdx.x + 1] < wanted)
            chosen = threadIdx.x;
        __syncthreads();
        prefix |= (unsigned)chosen << shift;
        wanted -= bins[0][chosen + 1];
    }
    if (threadIdx.x == 0)
        *out = prefix;
}

void run(const unsigned *in, unsigned *out, int n, int wanted)
{
    select<<<1, 512>>>(in, out, n, wanted);
}
