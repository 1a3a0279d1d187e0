// The completion function runs once, in one thread, before anybody is let go: it cannot wait for
// the others.
#include <cuda/barrier>

using plain_barrier = cuda::barrier<cuda::thread_scope_block>;

struct then_meet {
    plain_barrier *other;
    __device__ void operator()() noexcept
    {
        other->arrive_and_wait(); // expect: arrive-completion-fn
    }
};

__global__ void rounds(cuda::barrier<cuda::thread_scope_block, then_meet> *step, float *cell)
{
    cell[threadIdx.x] += 1;
    step->arrive_and_wait();
    cell[threadIdx.x] *= 2;
}

void launch(cuda::barrier<cuda::thread_scope_block, then_meet> *step, float *cell)
{
    rounds<<<1, 64>>>(step, cell);
}
