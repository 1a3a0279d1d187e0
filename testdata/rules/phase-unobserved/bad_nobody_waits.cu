#include <cuda/barrier>

__global__ void count_rounds(const float *__restrict__ in, float *__restrict__ out, int rounds)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> round_over;
    if (threadIdx.x == 0)
        init(&round_over, blockDim.x);
    __syncthreads();
    float sum = 0.0f;
    for (int r = 0; r < rounds; ++r) {
        sum += in[r * blockDim.x + threadIdx.x];
        (void)round_over.arrive(); // expect: phase-unobserved
    }
    out[threadIdx.x] = sum;
}

void run(const float *in, float *out)
{
    count_rounds<<<1, 128>>>(in, out, 4);
}
