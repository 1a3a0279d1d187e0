// The block's barrier by its group object, where one buffer is full only.
#include <cooperative_groups.h>
#include <cuda/barrier>

namespace cg = cooperative_groups;

struct Flush {
    int *used;
    __device__ void operator()() const noexcept
    {
        if (*used > 1024) {
            *used = 0;
            cg::this_thread_block().sync(); // expect: arrive-completion-fn
        }
    }
};

using flushing = cuda::barrier<cuda::thread_scope_block, Flush>;

__global__ void append(const int *__restrict__ in, int *__restrict__ out, int *used, int rounds)
{
    __shared__ alignas(flushing) unsigned char room[sizeof(flushing)];
    flushing &appended = *reinterpret_cast<flushing *>(room);
    if (threadIdx.x == 0)
        init(&appended, blockDim.x, Flush{used});
    __syncthreads();
    for (int round = 0; round < rounds; ++round) {
        out[round * 128 + threadIdx.x] = in[threadIdx.x] + round;
        appended.arrive_and_wait();
    }
}

void run(const int *in, int *out, int *used, int rounds)
{
    append<<<1, 128>>>(in, out, used, rounds);
}
