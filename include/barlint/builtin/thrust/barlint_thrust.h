// Thrust, as far as host programs around kernels use it: containers, pointers, iterators, and the
// algorithms declared loosely. Nothing here synchronises a block.
#ifndef BARLINT_THRUST_H
#define BARLINT_THRUST_H

#include "../cuda/std/functional"
#include "../cuda/std/tuple"

#define THRUST_VERSION 300000

namespace thrust {

struct barlint_policy {
    template <typename... A> __host__ __device__ barlint_policy on(A...) const { return {}; }
    template <typename... A> __host__ __device__ barlint_policy operator()(A...) const {
        return {};
    }
};
static constexpr barlint_policy device{};
static constexpr barlint_policy host{};
static constexpr barlint_policy seq{};
namespace cuda {
static constexpr barlint_policy par{};
static constexpr barlint_policy par_nosync{};
} // namespace cuda
namespace system {}

template <typename T> class device_reference {
    T *p;

  public:
    __host__ __device__ explicit device_reference(T *q) : p(q) {}
    __host__ __device__ operator T() const { return *p; }
    __host__ __device__ device_reference &operator=(const T &v) {
        *p = v;
        return *this;
    }
};
template <typename T> class device_ptr {
    T *p;

  public:
    using value_type = T;
    using difference_type = ptrdiff_t;
    using reference = device_reference<T>;
    using pointer = device_ptr;
    __host__ __device__ device_ptr() : p(nullptr) {}
    __host__ __device__ explicit device_ptr(T *q) : p(q) {}
    __host__ __device__ T *get() const { return p; }
    __host__ __device__ reference operator*() const { return reference(p); }
    __host__ __device__ reference operator[](ptrdiff_t i) const { return reference(p + i); }
    __host__ __device__ device_ptr operator+(ptrdiff_t i) const { return device_ptr(p + i); }
    __host__ __device__ device_ptr operator-(ptrdiff_t i) const { return device_ptr(p - i); }
    __host__ __device__ ptrdiff_t operator-(const device_ptr &o) const { return p - o.p; }
    __host__ __device__ device_ptr &operator++() {
        ++p;
        return *this;
    }
    __host__ __device__ bool operator==(const device_ptr &o) const { return p == o.p; }
    __host__ __device__ bool operator!=(const device_ptr &o) const { return p != o.p; }
};
template <typename T> __host__ __device__ device_ptr<T> device_pointer_cast(T *p) {
    return device_ptr<T>(p);
}
template <typename T> __host__ __device__ T *raw_pointer_cast(device_ptr<T> p) { return p.get(); }
template <typename T> __host__ __device__ T *raw_pointer_cast(T *p) { return p; }
template <typename T> device_ptr<T> device_malloc(size_t n);
template <typename T> void device_free(device_ptr<T> p);

#define BARLINT_THRUST_VECTOR(name, P, R)                                                          \
    template <typename T, typename A = void> class name {                                          \
        T *first;                                                                                  \
        size_t count;                                                                              \
                                                                                                   \
      public:                                                                                      \
        using value_type = T;                                                                      \
        using size_type = size_t;                                                                  \
        using iterator = P;                                                                        \
        using const_iterator = P;                                                                  \
        using pointer = P;                                                                         \
        using reference = R;                                                                       \
        name();                                                                                    \
        explicit name(size_t n);                                                                   \
        name(size_t n, const T &value);                                                            \
        template <typename V, typename = typename V::value_type> name(const V &other);             \
        template <typename I, typename = decltype(*I())> name(I begin, I end);                     \
        ~name();                                                                                   \
        template <typename V> name &operator=(const V &other);                                     \
        iterator begin() const { return P(first); }                                                \
        iterator end() const { return P(first + count); }                                          \
        iterator cbegin() const { return P(first); }                                               \
        iterator cend() const { return P(first + count); }                                         \
        pointer data() const { return P(first); }                                                  \
        size_t size() const { return count; }                                                      \
        size_t capacity() const { return count; }                                                  \
        bool empty() const { return count == 0; }                                                  \
        reference operator[](size_t i) const { return *P(first + i); }                             \
        reference front() const { return *P(first); }                                              \
        reference back() const { return *P(first + count - 1); }                                   \
        void resize(size_t n);                                                                     \
        void resize(size_t n, const T &value);                                                     \
        void reserve(size_t n);                                                                    \
        void clear();                                                                              \
        void shrink_to_fit();                                                                      \
        void push_back(const T &value);                                                            \
        void pop_back();                                                                           \
        void swap(name &other);                                                                    \
        template <typename I> void assign(I begin, I end);                                         \
        template <typename... B> void insert(B &&...);                                             \
        template <typename... B> void erase(B &&...);                                              \
    };
template <typename T> using barlint_host_pointer = T *;
BARLINT_THRUST_VECTOR(device_vector, device_ptr<T>, device_reference<T>)
BARLINT_THRUST_VECTOR(host_vector, barlint_host_pointer<T>, T &)
BARLINT_THRUST_VECTOR(universal_vector, barlint_host_pointer<T>, T &)

template <typename T> struct counting_iterator {
    using value_type = T;
    T value;
    __host__ __device__ explicit counting_iterator(T v = T()) : value(v) {}
    __host__ __device__ T operator*() const { return value; }
    __host__ __device__ T operator[](ptrdiff_t i) const { return value + i; }
    __host__ __device__ counting_iterator operator+(ptrdiff_t n) const {
        return counting_iterator(value + n);
    }
};
template <typename T> __host__ __device__ counting_iterator<T> make_counting_iterator(T v) {
    return counting_iterator<T>(v);
}
template <typename T> struct constant_iterator {
    using value_type = T;
    T value;
    __host__ __device__ explicit constant_iterator(T v) : value(v) {}
    __host__ __device__ T operator*() const { return value; }
    __host__ __device__ constant_iterator operator+(ptrdiff_t) const { return *this; }
};
template <typename T> __host__ __device__ constant_iterator<T> make_constant_iterator(T v) {
    return constant_iterator<T>(v);
}
template <typename... A> struct barlint_iterator {
    template <typename... B> __host__ __device__ barlint_iterator operator+(B...) const {
        return *this;
    }
};
template <typename... A> __host__ __device__ barlint_iterator<A...> make_zip_iterator(A...) {
    return {};
}
template <typename... A> __host__ __device__ barlint_iterator<A...> make_transform_iterator(A...) {
    return {};
}
template <typename... A>
__host__ __device__ barlint_iterator<A...> make_permutation_iterator(A...) {
    return {};
}
template <typename... A> __host__ __device__ barlint_iterator<A...> make_discard_iterator(A...) {
    return {};
}

using ::cuda::std::bit_and;
using ::cuda::std::bit_or;
using ::cuda::std::bit_xor;
using ::cuda::std::divides;
using ::cuda::std::equal_to;
using ::cuda::std::get;
using ::cuda::std::greater;
using ::cuda::std::greater_equal;
using ::cuda::std::identity;
using ::cuda::std::less;
using ::cuda::std::less_equal;
using ::cuda::std::logical_and;
using ::cuda::std::logical_or;
using ::cuda::std::make_pair;
using ::cuda::std::make_tuple;
using ::cuda::std::minus;
using ::cuda::std::modulus;
using ::cuda::std::multiplies;
using ::cuda::std::not_equal_to;
using ::cuda::std::pair;
using ::cuda::std::plus;
using ::cuda::std::tie;
using ::cuda::std::tuple;
template <typename T = void> using maximum = ::cuda::maximum<T>;
template <typename T = void> using minimum = ::cuda::minimum<T>;
template <typename A = void, typename B = void> struct unary_function {};
template <typename A = void, typename B = void, typename C = void> struct binary_function {};
namespace placeholders {}

// An algorithm's result converts to whatever the program makes of it.
struct barlint_result {
    template <typename T> __host__ __device__ operator T() const { return T(); }
    template <typename T> __host__ __device__ barlint_result operator-(const T &) const {
        return *this;
    }
    template <typename T> __host__ __device__ barlint_result operator+(const T &) const {
        return *this;
    }
    __host__ __device__ barlint_result operator*() const { return *this; }
    template <typename T> __host__ __device__ bool operator==(const T &) const { return true; }
    template <typename T> __host__ __device__ bool operator!=(const T &) const { return true; }
};
#define BARLINT_THRUST(name)                                                                       \
    template <typename... A> __host__ __device__ barlint_result name(A &&...) { return {}; }
BARLINT_THRUST(adjacent_difference)
BARLINT_THRUST(all_of)
BARLINT_THRUST(any_of)
BARLINT_THRUST(binary_search)
BARLINT_THRUST(copy)
BARLINT_THRUST(copy_if)
BARLINT_THRUST(copy_n)
BARLINT_THRUST(count)
BARLINT_THRUST(count_if)
BARLINT_THRUST(equal)
BARLINT_THRUST(exclusive_scan)
BARLINT_THRUST(exclusive_scan_by_key)
BARLINT_THRUST(fill)
BARLINT_THRUST(fill_n)
BARLINT_THRUST(find)
BARLINT_THRUST(find_if)
BARLINT_THRUST(for_each)
BARLINT_THRUST(for_each_n)
BARLINT_THRUST(gather)
BARLINT_THRUST(generate)
BARLINT_THRUST(inclusive_scan)
BARLINT_THRUST(inclusive_scan_by_key)
BARLINT_THRUST(inner_product)
BARLINT_THRUST(is_sorted)
BARLINT_THRUST(lower_bound)
BARLINT_THRUST(max_element)
BARLINT_THRUST(merge)
BARLINT_THRUST(min_element)
BARLINT_THRUST(minmax_element)
BARLINT_THRUST(none_of)
BARLINT_THRUST(partition)
BARLINT_THRUST(reduce)
BARLINT_THRUST(reduce_by_key)
BARLINT_THRUST(remove)
BARLINT_THRUST(remove_if)
BARLINT_THRUST(replace)
BARLINT_THRUST(replace_if)
BARLINT_THRUST(reverse)
BARLINT_THRUST(scatter)
BARLINT_THRUST(sequence)
BARLINT_THRUST(set_difference)
BARLINT_THRUST(set_intersection)
BARLINT_THRUST(sort)
BARLINT_THRUST(sort_by_key)
BARLINT_THRUST(stable_sort)
BARLINT_THRUST(stable_sort_by_key)
BARLINT_THRUST(swap_ranges)
BARLINT_THRUST(tabulate)
BARLINT_THRUST(transform)
BARLINT_THRUST(transform_exclusive_scan)
BARLINT_THRUST(transform_inclusive_scan)
BARLINT_THRUST(transform_reduce)
BARLINT_THRUST(uninitialized_copy)
BARLINT_THRUST(uninitialized_fill)
BARLINT_THRUST(unique)
BARLINT_THRUST(unique_by_key)
BARLINT_THRUST(upper_bound)
template <typename I, typename J> __host__ __device__ ptrdiff_t distance(I a, J b);
template <typename T> __host__ __device__ void swap(T &a, T &b) {
    T c = a;
    a = b;
    b = c;
}

template <typename T> struct complex {
    T re, im;
    __host__ __device__ complex(T r = T(), T i = T()) : re(r), im(i) {}
    __host__ __device__ T real() const { return re; }
    __host__ __device__ T imag() const { return im; }
    friend __host__ __device__ complex operator+(const complex &a, const complex &b) {
        return complex(a.re + b.re, a.im + b.im);
    }
    friend __host__ __device__ complex operator-(const complex &a, const complex &b) {
        return complex(a.re - b.re, a.im - b.im);
    }
    friend __host__ __device__ complex operator*(const complex &a, const complex &b) {
        return complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
    }
};
template <typename T> __host__ __device__ T abs(const complex<T> &a);
template <typename T> __host__ __device__ complex<T> exp(const complex<T> &a);
template <typename T> __host__ __device__ complex<T> conj(const complex<T> &a) {
    return complex<T>(a.re, -a.im);
}

} // namespace thrust

#endif
