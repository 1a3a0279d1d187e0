// The function arrives once more at the barrier whose phase it ends, through a helper.
#include <cuda/barrier>
#include <utility>

struct Again;
using counted = cuda::barrier<cuda::thread_scope_block, Again>;

struct Again {
    counted *self;
    int *rounds;
    __device__ void operator()() noexcept;
};

__device__ void arrive_for_the_absent(counted *barrier)
{
    (void)barrier->arrive(); // expect: arrive-completion-fn
}

__device__ void Again::operator()() noexcept
{
    *rounds += 1;
    arrive_for_the_absent(self);
}

__global__ void count(int *rounds, int *out)
{
    __shared__ alignas(counted) unsigned char room[sizeof(counted)];
    counted *barrier = reinterpret_cast<counted *>(room);
    if (threadIdx.x == 0)
        init(barrier, 64, Again{barrier, rounds});
    __syncthreads();
    for (int i = 0; i < 4; ++i) {
        auto token = barrier->arrive();
        barrier->wait(std::move(token));
    }
    out[threadIdx.x] = *rounds;
}

void run(int *rounds, int *out)
{
    count<<<1, 64>>>(rounds, out);
}
