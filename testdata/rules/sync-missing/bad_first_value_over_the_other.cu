// One thread gives a word its first value, another one the value it is to have: whose comes last?
#include <cuda_runtime.h>

__global__ void mark(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ int last;
    if (threadIdx.x == 0)
        last = -1;
    if (threadIdx.x == blockDim.x - 1)
        last = in[blockIdx.x]; // expect: sync-missing
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = last;
}

// All threads clear the table, then put their numbers where their data say.
__global__ void place(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ int owner[256];
    for (int i = threadIdx.x; i < 256; i += 128)
        owner[i] = 0;
    owner[in[threadIdx.x] & 255] = (int)threadIdx.x + 1; // expect: sync-missing
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += 128)
        out[i] = owner[i];
}

void run(const int *in, int *out, int n)
{
    mark<<<n, 128>>>(in, out);
    place<<<1, 128>>>(in, out);
}
