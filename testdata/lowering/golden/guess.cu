// Member calls inside templates that nothing instantiates are known by what leaves no choice: `auto`
// from an initializer, elements, members of class templates, base classes, what a functor returns.
#include <cuda_runtime.h>

struct plain_gate {
    unsigned long long word;
    __device__ void wait(unsigned parity) const
    {
        asm volatile("bar.sync %0, 64;" ::"r"(parity));
    }
    __device__ void arrive()
    {
        __syncwarp();
    }
    __device__ void arrive(unsigned block)
    {
        __syncwarp(block);
    }
    __device__ static void arrive(const void *address)
    {
        __syncthreads();
    }
};
struct gate : plain_gate {
    __device__ void open(int count)
    {
        asm volatile("bar.arrive %0, 96;" ::"r"(count));
    }
};
template <class F> struct indexed {
    F f;
    __device__ explicit indexed(F &&g) : f(static_cast<F &&>(g)) {}
    __device__ auto operator[](const unsigned &i) const
    {
        return f(i);
    }
};
template <class T, int N> struct storage {
    T data[N];
    gate ready[N];
};
template <class T> __device__ void reset(T *p)
{
    __syncthreads();
    *p = T();
}
template <class T, int N> __global__ void kernel(T *p)
{
    extern __shared__ char memory[];
    auto full = indexed([&](const unsigned &i) {
        return reinterpret_cast<gate *>(memory + sizeof(T) * N + i * sizeof(gate));
    });
    auto &shared = *reinterpret_cast<storage<T, N> *>(memory);
    auto next = [&](unsigned i) { return reinterpret_cast<gate *>(memory) + i % N; };
    for (unsigned i = 0; i < N; ++i)
        full[i]->open(N);
    for (unsigned i = 0; i < 4; ++i) {
        auto &one = *full[i % N];
        auto *two = next(i);
        one.wait(0);
        two->arrive();
        shared.ready[i % N].arrive(3u);
    }
    reset(reinterpret_cast<int *>(memory));
}
template <class F> __device__ void each(F f)
{
    f(1);
}
template <class T> __global__ void lambdas(T *p)
{
    int own = 0;
    each([&](auto i) {
        own += i;
        asm volatile("bar.sync 1, 128;");
    });
    p->each([=](int i) { asm volatile("bar.sync 2, 128;"); });
}
