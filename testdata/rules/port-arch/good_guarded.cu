// arch: sm_80
// What the target lacks is left out for it.
__device__ inline void all_together()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
#else
    __syncthreads();
#endif
}

__global__ void pace(float *data)
{
    data[blockIdx.x * blockDim.x + threadIdx.x] *= 0.5f;
    all_together();
    data[blockIdx.x * blockDim.x + threadIdx.x] += 1.0f;
}

void run(float *data)
{
    pace<<<16, 128>>>(data);
}
