// The programming guide's own use: one thread adds up what the others have stored.
#include <cuda/barrier>

__global__ void total(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ int part[32];
    __shared__ int sum;
    auto sum_up = [&] __device__() noexcept {
        int all = 0;
        for (int i = 0; i < 32; ++i)
            all += part[i];
        sum = all;
    };
    using summing = cuda::barrier<cuda::thread_scope_block, decltype(sum_up)>;
    __shared__ alignas(summing) unsigned char room[sizeof(summing)];
    summing *barrier = reinterpret_cast<summing *>(room);
    if (threadIdx.x == 0)
        init(barrier, 32, sum_up);
    __syncthreads();
    part[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];
    barrier->arrive_and_wait();
    out[blockIdx.x * 32 + threadIdx.x] = sum - part[threadIdx.x];
}

void run(const int *in, int *out)
{
    total<<<16, 32>>>(in, out);
}
