// A lambda that one thread runs computes a sum over the warp.
#include <cuda/barrier>

__global__ void total(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ int part[32];
    auto sum_up = [=] __device__() noexcept {
        int sum = part[threadIdx.x % 32];
        for (int step = 16; step > 0; step /= 2)
            sum += __shfl_down_sync(0xffffffffu, sum, step); // expect: arrive-completion-fn
        out[blockIdx.x] = sum;
    };
    using summing = cuda::barrier<cuda::thread_scope_block, decltype(sum_up)>;
    __shared__ alignas(summing) unsigned char room[sizeof(summing)];
    summing *barrier = reinterpret_cast<summing *>(room);
    if (threadIdx.x == 0)
        init(barrier, 32, sum_up);
    __syncthreads();
    part[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];
    barrier->arrive_and_wait();
}

void run(const int *in, int *out)
{
    total<<<16, 32>>>(in, out);
}
