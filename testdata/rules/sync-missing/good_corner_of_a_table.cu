// Each thread counts into a row of its own; the first threads add up a column each and put the sum
// where their row and their column meet. There are no more columns than a row has.
constexpr int THREADS = 256, COLUMNS = 16;

__global__ void totals(const int *kind, const int *amount, int *total, int count, int kinds)
{
    __shared__ int table[THREADS][COLUMNS];
    const int me = threadIdx.x;
    for (int k = 0; k < kinds; ++k)
        table[me][k] = 0;
    for (int i = me; i < count; i += THREADS)
        table[me][kind[i]] += amount[i];
    __syncthreads();
    if (me < kinds) {
        int sum = 0;
        for (int i = 0; i < THREADS; ++i)
            sum += table[i][me];
        table[me][me] = sum;
    }
    __syncthreads();
    if (me == 0) {
        for (int k = 0; k < kinds; ++k)
            total[k] = table[k][k];
    }
}

void run(const int *kind, const int *amount, int *total, int count, int kinds)
{
    totals<<<1, THREADS>>>(kind, amount, total, count, kinds);
}
