// Two teams sync by one instruction, each at the barrier of its number: the first one's is 0.
#include <cuda_runtime.h>

struct Team {
    int number;

    __device__ void sync() const
    {
        asm volatile("barrier.cta.sync.aligned %0, 96;" ::"r"(number) : "memory");
    }
};

__global__ void blend(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float row[192];
    const Team team{static_cast<int>(threadIdx.x) / 96};
    row[threadIdx.x] = in[threadIdx.x];
    team.sync();
    const float other = row[team.number * 96 + (threadIdx.x + 1) % 96];
    __syncthreads(); // expect: named-id-conflict
    row[threadIdx.x] = other;
    __syncthreads();
    out[threadIdx.x] = row[191 - threadIdx.x];
}

void run(const float *in, float *out)
{
    blend<<<1, 192>>>(in, out);
}
