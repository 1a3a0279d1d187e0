// A function that lost an expression is marked; its neighbours are not. What can be cured is.
#include <cuda_runtime.h>

template <class T> struct holder {
    template <class U> __device__ U as() const
    {
        return U(1);
    }
};
template <class T> __device__ int cured(holder<T> h)
{
    return h.as<int>();
}
__global__ void lost(int *p)
{
    if (threadIdx.x == 0)
        no_such_function(p);
    __syncthreads();
}
__global__ void whole(int *p)
{
    p[0] = cured(holder<int>{});
    __syncthreads();
}

struct pair {
    int x, y;
};
__device__ pair pair_of(int x, int y);

// No operator takes a pair: its right-hand side is not what the variable holds.
__device__ int operator_nobody_declares(int i)
{
    pair at = i - pair_of(1, 2);
    return at.x;
}

// What makes the function __device__ is in a header that is missing, and what it calls, too. clang drops
// a kernel's call of it without a word; a template's it keeps, and of the function nothing but its name.
#define COPY_OF_A_GROUP(scope)                                                                     \
    LIBRARY_DEVICE_PREFIX LIBRARY_INLINE void copy_of_##scope(int *to)                             \
    {                                                                                              \
        copy_threads<library_group_##scope>(to);                                                   \
    }
namespace library {
COPY_OF_A_GROUP(block)
}

__global__ void copies(int *to)
{
    library::copy_of_block(to);
    __syncthreads();
}
template <int Rounds> __global__ void copies_in_rounds(int *to)
{
    library::copy_of_block(to);
    __syncthreads();
}
void launch(int *to)
{
    copies_in_rounds<2><<<1, 32>>>(to);
}

// A macro whose body loses an argument: the literals beside it are what they are.
__device__ void advance(int *to, int stages, bool early);
#define ADVANCE(NAME, EARLY)                                                                       \
    __global__ void NAME(int *to)                                                                  \
    {                                                                                              \
        advance(to + unknown_row(to), 4, EARLY);                                                   \
        advance(to, 4, EARLY);                                                                     \
    }
ADVANCE(advance_late, false)
ADVANCE(advance_early, true)
