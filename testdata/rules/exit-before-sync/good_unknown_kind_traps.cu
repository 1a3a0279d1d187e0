// A switch over the kinds there are, whose default ends the program: nobody leaves before the
// barriers there, as nobody is left at all.
enum Kind { SMALL = 2, LARGE = 3, KINDS };

struct Columns {
    void *out[4];
    Kind kind[4];
    int used;
    int rows;
};

__device__ void put(void *out, Kind kind, int at, long value)
{
    switch (kind) {
    case SMALL:
        static_cast<int *>(out)[at] = int(value);
        return;
    case LARGE:
        static_cast<long *>(out)[at] = value;
        return;
    default:
        __trap();
    }
}

__global__ void sums_so_far(const int *in, Columns columns)
{
    __shared__ long sums[256];
    int tid = threadIdx.x;
    if (tid == 0)
        for (int c = 0; c < columns.used; ++c)
            put(columns.out[c], columns.kind[c], 0, 0);
    sums[tid] = tid < columns.rows ? in[tid] : 0;
    __syncthreads();
    for (int apart = 1; apart < 256; apart *= 2) {
        long more = tid >= apart ? sums[tid - apart] : 0;
        __syncthreads();
        sums[tid] += more;
        __syncthreads();
    }
    if (tid < columns.rows)
        for (int c = 0; c < columns.used; ++c)
            put(columns.out[c], columns.kind[c], tid + 1, sums[tid]);
}

void launch(const int *in, const Columns &columns)
{
    sums_so_far<<<1, 256>>>(in, columns);
}
