// The count must be a multiple of the warp size: the instruction itself, in threads.
__device__ void sync_threads(int id, int threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

__global__ void most(float *data)
{
    __shared__ float line[96];
    if (threadIdx.x < 80)
        line[threadIdx.x] = data[threadIdx.x];
    sync_threads(1, 80); // expect: named-count-multiple
    data[threadIdx.x] = line[threadIdx.x / 2];
}

void launch(float *data)
{
    most<<<1, 96>>>(data);
}
