// Templates that nothing instantiates keep their control flow and their barriers.
#include <cuda/barrier>
#include <cuda_runtime.h>

template <int N> struct ring {
    unsigned long long full[N], empty[N];
    __device__ void wait(int i, int parity)
    {
        while (!test(i, parity))
            ;
    }
    __device__ bool test(int i, int parity)
    {
        return full[i] > parity;
    }
};
template <class T, int N> __device__ void helper(T *p, int n)
{
    if (n > N)
        __syncwarp();
}
template <class T, int N> __global__ void kernel(T *p, int n)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ ring<N> own;
    if (threadIdx.x == 0)
        init(&bar, N);
    __syncthreads();
    for (int i = 0; i < n && p[i] > 0; ++i) {
        own.wait(i % N, i / N & 1);
        auto token = bar.arrive();
        bar.wait(std::move(token));
    }
    helper<T, N>(p, n);
    p->finish();
}
__device__ bool is_full(int *slot, int phase);
struct small;
struct wide;
__device__ small &operator+=(small &, const small &);
__device__ wide &operator+=(wide &, const wide &);
// The call is dependent for its argument's sake: the value is stored all the same. What is added to
// a number hides no barrier.
template <int N> __device__ float drain(int at)
{
    __shared__ int slot[N][2];
    float sum = 0;
    bool ready = false;
    while (!ready)
        ready = is_full(slot[at], 0);
    sum += slot[at][1];
    return sum;
}
