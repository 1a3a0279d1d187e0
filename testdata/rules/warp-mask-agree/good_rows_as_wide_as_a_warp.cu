// How wide the rows of the block are the program learns from the device; there are 32 of them, and
// each is a warp: what a row decides all lanes of the warp decide.
int lanes_of_device();

__global__ void gather(const int *index, const float *in, float *out, int count, int skipped)
{
    __shared__ int chosen[32];
    __shared__ float sums[32][32];
    int row = blockIdx.x * 32 + threadIdx.y;
    if (threadIdx.x == 0 && row < count)
        chosen[threadIdx.y] = index[row];
    __syncthreads();
    int own = chosen[threadIdx.y];
    if (row < count && own != skipped) {
        int same = blockIdx.x * 32 + threadIdx.x < count && chosen[threadIdx.x] == own;
        unsigned peers = __ballot_sync(0xffffffff, same);
        if (__ffs(peers) - 1 == threadIdx.y) {
            float sum = 0;
            for (; peers; peers &= peers - 1)
                sum += in[(blockIdx.x * 32 + __ffs(peers) - 1) * 32 + threadIdx.x];
            sums[threadIdx.y][threadIdx.x] = sum;
            out[own * 32 + threadIdx.x] += sums[threadIdx.y][threadIdx.x];
        }
    }
}

void gather_rows(const int *index, const float *in, float *out, int count, int skipped)
{
    dim3 block(lanes_of_device(), 32);
    gather<<<(count + 31) / 32, block>>>(index, in, out, count, skipped);
}
