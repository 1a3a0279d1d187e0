// arch: sm_86
// A cluster barrier by inline assembly.
__global__ void pace(float *data)
{
    data[blockIdx.x * blockDim.x + threadIdx.x] *= 0.5f;
    asm volatile("barrier.cluster.arrive.release;" ::: "memory"); // expect: port-arch
    asm volatile("barrier.cluster.wait.acquire;" ::: "memory"); // expect: port-arch
    data[blockIdx.x * blockDim.x + threadIdx.x] += 1.0f;
}

void run(float *data)
{
    pace<<<16, 128>>>(data);
}
