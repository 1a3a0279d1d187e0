// Each thread has twelve words of its own, filled in one of two ways as data decide, and adds up
// where it is: what it has come to is one thing or another, however many rounds it took.
#include <cuda_runtime.h>

__global__ void rotate(const unsigned *table, const unsigned *shift, unsigned *out)
{
    extern __shared__ unsigned words[];
    const unsigned by = shift[blockIdx.x];
    unsigned at = threadIdx.x;
    if (by < 1536) {
        for (int i = 0; i < 12; ++i) {
            words[at] = table[at];
            at += 128;
        }
    } else {
        for (int i = 0; i < 12; ++i) {
            words[at] = ~table[at];
            at += 128;
        }
    }
    at = threadIdx.x;
    for (int i = 0; i < 12; ++i) {
        out[at] = words[at];
        at += 128;
    }
}

void run(const unsigned *table, const unsigned *shift, unsigned *out)
{
    rotate<<<64, 128, 12 * 128 * sizeof(unsigned)>>>(table, shift, out);
}
