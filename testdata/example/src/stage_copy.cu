// Wrong: a bulk copy of a row whose bytes are no multiple of 16.
#include "transaction_barrier.cuh"

constexpr int kColumns = 30;

__global__ void load_row(const float *in, float *out)
{
    __shared__ alignas(128) float row[kColumns];
    __shared__ example::TransactionBarrier full;
    if (threadIdx.x == 0)
        full.init(1);
    __syncthreads();

    if (threadIdx.x == 0) {
        full.arrive_and_expect(sizeof row);
        full.load(row, in, sizeof row);
    }
    full.wait(0);
    out[threadIdx.x] = row[threadIdx.x % kColumns];
}

void load(const float *in, float *out)
{
    load_row<<<1, 128>>>(in, out);
}
