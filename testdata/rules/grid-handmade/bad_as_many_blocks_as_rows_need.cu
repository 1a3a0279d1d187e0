// The grid grows with the rows, and its blocks wait for each other.
__device__ void gate(volatile int *epoch)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        const int mine = blockIdx.x == 0 ? 0x80000000 - (gridDim.x - 1) : 1;
        __threadfence();
        const int before = *epoch;
        atomicAdd((int *)epoch, mine);
        while ((*epoch ^ before) >= 0) { // expect: grid-handmade
        }
        __threadfence();
    }
    __syncthreads();
}

__global__ void totals(const int *rows, int *sums, int *starts, int count, int *epoch)
{
    __shared__ int total;
    if (threadIdx.x == 0)
        total = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&total, i < count ? rows[i] : 0);
    __syncthreads();
    if (threadIdx.x == 0)
        sums[blockIdx.x] = total;
    gate(epoch);
    int before = 0;
    for (int b = 0; b < blockIdx.x; ++b)
        before += sums[b];
    if (threadIdx.x == 0)
        starts[blockIdx.x] = before;
}

void launch(const int *rows, int *sums, int *starts, int count, int *epoch)
{
    const int block = 256;
    totals<<<(count + block - 1) / block, block>>>(rows, sums, starts, count, epoch);
}
