// A functor of the user that synchronises, used as anything but a completion function.
#include <cuda/barrier>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

struct Publish {
    block_barrier *stored;
    __device__ void operator()() noexcept { stored->arrive_and_wait(); }
};

struct Count {
    int *rounds;
    __device__ void operator()() noexcept { atomicAdd(rounds, 1); }
};

using counting = cuda::barrier<cuda::thread_scope_block, Count>;

__global__ void reverse(const float *__restrict__ in, float *__restrict__ out, counting *barriers)
{
    __shared__ float line[128];
    __shared__ block_barrier stored;
    if (threadIdx.x == 0)
        init(&stored, 128);
    __syncthreads();
    Publish publish{&stored};
    line[threadIdx.x] = in[threadIdx.x];
    publish();
    out[threadIdx.x] = line[127 - threadIdx.x];
    barriers[blockIdx.x].arrive_and_wait();
}

void run(const float *in, float *out, counting *barriers)
{
    reverse<<<1, 128>>>(in, out, barriers);
}
