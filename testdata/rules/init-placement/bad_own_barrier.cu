// __shared__ is forgotten: every thread makes a barrier of its own and waits for 63 others there.
#include <cuda/barrier>

using ready_t = cuda::barrier<cuda::thread_scope_block>;

__device__ void exchange(int *line, const int *in, ready_t &ready)
{
    line[threadIdx.x] = in[threadIdx.x];
    ready.arrive_and_wait();
}

__global__ void reverse(const int *in, int *out)
{
    __shared__ int line[64];
    ready_t ready(64); // expect: init-placement
    exchange(line, in, ready);
    out[threadIdx.x] = line[63 - threadIdx.x];
}

struct team {
    ready_t ready;
    int size;
    __device__ explicit team(int n) : ready(n), size(n) {} // expect: init-placement
};

__global__ void reverse_team(const int *in, int *out)
{
    __shared__ int line[64];
    team all(blockDim.x);
    line[threadIdx.x] = in[threadIdx.x];
    all.ready.arrive_and_wait();
    out[threadIdx.x] = line[all.size - 1 - threadIdx.x];
}

void launch(const int *in, int *out)
{
    reverse<<<1, 64>>>(in, out);
    reverse_team<<<1, 64>>>(in, out);
}
