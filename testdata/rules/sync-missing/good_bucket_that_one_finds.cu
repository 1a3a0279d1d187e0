// The bucket that the k-th number falls into is the one where the sums over the buckets pass k: one
// thread finds it and adds it to what is known of the number. The sums are CUB's.
#include <cub/block/block_scan.cuh>

constexpr int BITS = 11, BUCKETS = 1 << BITS, THREADS = 512, EACH = BUCKETS / THREADS;

struct progress {
    int wanted, among;
    unsigned found;
};

__device__ void find_bucket(progress &known, const int *sums, int wanted, int pass)
{
    for (int i = threadIdx.x; i < BUCKETS; i += THREADS) {
        int before = i == 0 ? 0 : sums[i - 1];
        int up_to = sums[i];
        if (before < wanted && up_to >= wanted) {
            known.wanted = wanted - before;
            known.among = up_to - before;
            known.found |= (unsigned)i << (BITS * pass);
        }
    }
}

__global__ void kth(const unsigned *numbers, int count, int k, unsigned *out)
{
    typedef cub::BlockScan<int, THREADS> scan;
    __shared__ progress known;
    __shared__ int sums[BUCKETS];
    __shared__ typename scan::TempStorage scratch;
    if (threadIdx.x == 0) {
        known.wanted = k;
        known.found = 0;
    }
    __syncthreads();
    for (int pass = 0; pass < 2; ++pass) {
        int wanted = known.wanted;
        for (int i = threadIdx.x; i < BUCKETS; i += THREADS)
            sums[i] = 0;
        __syncthreads();
        for (int i = threadIdx.x; i < count; i += THREADS)
            atomicAdd(&sums[numbers[i] >> (BITS * pass) & (BUCKETS - 1)], 1);
        __syncthreads();
        int own[EACH];
        for (int i = 0; i < EACH; ++i)
            own[i] = sums[threadIdx.x * EACH + i];
        __syncthreads();
        scan(scratch).InclusiveSum(own, own);
        __syncthreads();
        for (int i = 0; i < EACH; ++i)
            sums[threadIdx.x * EACH + i] = own[i];
        __syncthreads();
        find_bucket(known, sums, wanted, pass);
        __syncthreads();
    }
    if (threadIdx.x == 0)
        *out = known.found;
}

void select(const unsigned *numbers, int count, int k, unsigned *out)
{
    kth<<<1, THREADS>>>(numbers, count, k, out);
}
