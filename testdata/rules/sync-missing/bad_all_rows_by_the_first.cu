// Four rows of counters are filled as one array, which the first row names, and the others are added up
// without a barrier.
constexpr int kRows = 4, kBins = 64, kThreads = 128;

__global__ void counts(const unsigned *words, unsigned *out, int n)
{
    __shared__ unsigned row[kRows][kBins];
    unsigned *flat = row[0];
    for (int i = threadIdx.x; i < kRows * kBins; i += kThreads)
        flat[i] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += kThreads)
        atomicAdd(&flat[words[i] % (kRows * kBins)], 1u);
    const int bin = threadIdx.x % kBins;
    unsigned sum = 0;
    for (int r = 1; r < kRows; ++r)
        sum += row[r][bin]; // expect: sync-missing
    out[blockIdx.x * kThreads + threadIdx.x] = sum;
}

void launch(const unsigned *words, unsigned *out, int n)
{
    counts<<<32, kThreads>>>(words, out, n);
}
