// The last block to come adds its sum to a total that others may lock, too: nobody waits for blocks
// that have not come.
__device__ unsigned arrived;
__device__ int locked;
__device__ float total;

__global__ void sums(const float *in, float *part)
{
    __shared__ float warp_sum[4];
    float sum = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int offset = 16; offset; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (threadIdx.x % 32 == 0)
        warp_sum[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        part[blockIdx.x] = warp_sum[0] + warp_sum[1] + warp_sum[2] + warp_sum[3];
        __threadfence();
        if (atomicAdd(&arrived, 1) == gridDim.x - 1) {
            float all = 0;
            for (unsigned i = 0; i < gridDim.x; ++i)
                all += __ldcg(&part[i]);
            while (atomicCAS(&locked, 0, 1) != 0) {
            }
            total += all;
            __threadfence();
            atomicExch(&locked, 0);
        }
    }
}

void run(const float *in, float *part)
{
    sums<<<512, 128>>>(in, part);
}
