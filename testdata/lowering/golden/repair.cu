// What nvcc takes and clang refuses, cured in memory: nothing is lost and no line moves.
#include <cuda_runtime.h>

struct counted {
    unsigned long long word;
    __device__ counted() : word(1) {}
};
template <class T> struct outer {
    struct inner {
        int size;
    };
    template <int N> __device__ int get() const
    {
        return N;
    }
};
__global__ void commas(unsigned *p)
{
    asm volatile("st.shared.u32 [%1], %0;" ::"r"(*p) "l"(p) : "memory");
    asm volatile("bar.sync %0, %1;" ::"r"(1)
                 "r"(64));
}
__global__ void shared_objects(int *p)
{
    __shared__ counted one;
    p[0] = (int)one.word;
}
__global__ void percent(int *p)
{
    int lane;
    asm volatile("mov.u32 %0, %laneid;" : "=r"(lane));
    p[lane] = 0;
}
struct numbers {
    using in = int;
};
template <class A> __device__ int size()
{
    return sizeof(A);
}
template <class T> __device__ int without_typename()
{
    __syncthreads();
    return size<T::in>();
}
__global__ void keywords(int *p)
{
    *p = without_typename<numbers>();
}
template <class T> struct cast {
    template <int N> static __device__ void go(T *p)
    {
        asm volatile("bar.sync %0, %1;" ::"n"(N), "r"(64));
        *p = N;
    }
    template <int N> static __device__ void overloaded(T *p)
    {
        *p = N;
    }
    template <int N> static __device__ void overloaded(T *p, T more)
    {
        *p = N + more;
    }
};
template <class T, int N> __device__ void without_template(T *p)
{
    cast<T>::go<N>(p);
    cast<T>::overloaded<N>(p, 1);
}
template <int N> struct adder {
    template <int M> __device__ int member(int value) const
    {
        return value + N * M;
    }
};
template <class T, int N> __device__ int without_template_behind_a_name(int *p)
{
    constexpr int twice = 2 * N;
    auto object = adder<N>();
    auto *pointer = &object;
    T::go<N>(p);
    return object.member<twice>(p[0]) + pointer->member<twice + 1>(p[1]);
}
__global__ void comparisons(int *p)
{
    without_template<int, 3>(p);
    *p = without_template_behind_a_name<cast<int>, 5>(p);
}
namespace names {
template <class T> __host__ __device__ constexpr int number()
{
    return -1;
}
template <class T> __device__ int device_number()
{
    return -1;
}
} // namespace names
#define NUMBER(T, N) \
    template <> constexpr int names::number<T>() \
    { \
        return N; \
    } \
    template <> int names::device_number<T>() \
    { \
        return N; \
    }
NUMBER(int, 4)
NUMBER(float, 5)
__global__ void specializations(int *p)
{
    *p = names::number<int>() + names::device_number<float>();
}
template <class T> struct box {
    __device__ constexpr int get(T value) const
    {
        return value;
    }
};
template <> __device__ inline int box<float>::get(float value) const
{
    return 7;
}
class owner
{
    template <class T> struct part;

  public:
    template <class T> struct part {
        T value;
    };
};
__global__ void members(int *p)
{
    owner::part<int> part = {box<float>().get(1)};
    *p = part.value;
}
static constexpr char plain[] = "";
__global__ void constant_strings(unsigned *p)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x1%2.shared.b16 {%0}, [%1];"
                 : "=r"(*p)
                 : "r"(1), "C"(plain));
}
struct traits {
    static constexpr int size = 3;
    __device__ static constexpr bool is_small()
    {
        return size < 4;
    }
};
template <class T> struct through_objects {
    T one, &other;
    const T *next;
    __device__ int sum(const T &given) const
    {
        constexpr int size = one.size;
        if constexpr (this->one.size == 3 && other.is_small())
            return size;
        else if constexpr (next->size == 3 || given.is_small())
            return 2;
        return 1;
    }
};
__global__ void constants(int *p)
{
    traits one;
    *p = through_objects<traits>{one, one, &one}.sum(one);
}
