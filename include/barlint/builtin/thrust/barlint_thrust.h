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
template <typename T> __host__ __device__ T &raw_reference_cast(T &value) { return value; }
template <typename T> __host__ __device__ T raw_reference_cast(device_reference<T> value) {
    return value;
}
template <typename T> device_ptr<T> device_malloc(size_t n);
template <typename T> void device_free(device_ptr<T> p);

// Allocators: `allocate` gives what nobody knows.
#define BARLINT_THRUST_ALLOCATOR(name)                                                             \
    template <typename T> struct name {                                                            \
        using value_type = T;                                                                      \
        using pointer = device_ptr<T>;                                                             \
        using const_pointer = device_ptr<const T>;                                                 \
        using reference = device_reference<T>;                                                     \
        using const_reference = device_reference<const T>;                                         \
        using size_type = size_t;                                                                  \
        using difference_type = ptrdiff_t;                                                         \
        template <typename U> struct rebind { using other = name<U>; };                            \
        __host__ __device__ name() {}                                                              \
        template <typename U> __host__ __device__ name(const name<U> &) {}                         \
        pointer allocate(size_type count, const_pointer hint = const_pointer());                   \
        void deallocate(pointer p, size_type count);                                               \
        size_type max_size() const { return ~size_type(0) / sizeof(T); }                           \
    };
BARLINT_THRUST_ALLOCATOR(device_malloc_allocator)
BARLINT_THRUST_ALLOCATOR(device_allocator)
BARLINT_THRUST_ALLOCATOR(device_new_allocator)

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
template <typename T> using universal_ptr = barlint_host_pointer<T>;

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
// Random numbers in device code.
#define BARLINT_THRUST_ENGINE(name)                                                                \
    struct name {                                                                                  \
        using result_type = unsigned int;                                                          \
        static constexpr result_type min = 1, max = 2147483646u;                                   \
        template <typename S = int> __host__ __device__ explicit name(S seed = 1) {}               \
        template <typename S> __host__ __device__ void seed(S value) {}                            \
        __host__ __device__ void discard(unsigned long long count) {}                              \
        __host__ __device__ result_type operator()();                                              \
    };
BARLINT_THRUST_ENGINE(default_random_engine)
BARLINT_THRUST_ENGINE(minstd_rand)
BARLINT_THRUST_ENGINE(minstd_rand0)
BARLINT_THRUST_ENGINE(taus88)
BARLINT_THRUST_ENGINE(ranlux24)
BARLINT_THRUST_ENGINE(ranlux48)
#define BARLINT_THRUST_DISTRIBUTION(name, D)                                                       \
    template <typename T = D> struct name {                                                        \
        using result_type = T;                                                                     \
        __host__ __device__ explicit name(T a = T(0), T b = T(1)) {}                               \
        template <typename E> __host__ __device__ T operator()(E &engine);                         \
    };
BARLINT_THRUST_DISTRIBUTION(uniform_int_distribution, int)
BARLINT_THRUST_DISTRIBUTION(uniform_real_distribution, double)
BARLINT_THRUST_DISTRIBUTION(normal_distribution, double)
namespace random {
using thrust::default_random_engine;
using thrust::minstd_rand;
using thrust::normal_distribution;
using thrust::uniform_int_distribution;
using thrust::uniform_real_distribution;
} // namespace random

// What an algorithm, an iterator or a placeholder gives converts to whatever the program makes of
// it.
struct barlint_result {
    template <typename T> __host__ __device__ operator T() const;
    __host__ __device__ barlint_result operator*() const { return *this; }
    template <typename T> __host__ __device__ barlint_result operator()(const T &) const {
        return *this;
    }
    template <typename T> __host__ __device__ barlint_result operator[](const T &) const {
        return *this;
    }
};
#define BARLINT_THRUST_OPERATOR(op)                                                                \
    __host__ __device__ inline barlint_result operator op(barlint_result, barlint_result) {        \
        return {};                                                                                 \
    }                                                                                              \
    template <typename T> __host__ __device__ barlint_result operator op(barlint_result, T) {      \
        return {};                                                                                 \
    }                                                                                              \
    template <typename T> __host__ __device__ barlint_result operator op(T, barlint_result) {      \
        return {};                                                                                 \
    }
BARLINT_THRUST_OPERATOR(+)
BARLINT_THRUST_OPERATOR(-)
BARLINT_THRUST_OPERATOR(*)
BARLINT_THRUST_OPERATOR(/)
BARLINT_THRUST_OPERATOR(%)
BARLINT_THRUST_OPERATOR(<)
BARLINT_THRUST_OPERATOR(>)
BARLINT_THRUST_OPERATOR(<=)
BARLINT_THRUST_OPERATOR(>=)
BARLINT_THRUST_OPERATOR(==)
BARLINT_THRUST_OPERATOR(!=)
#define BARLINT_THRUST_ASSIGNMENT(op)                                                              \
    template <typename T> __host__ __device__ T &operator op(T &a, const barlint_result &b) {      \
        return a op(T) b;                                                                          \
    }
BARLINT_THRUST_ASSIGNMENT(+=)
BARLINT_THRUST_ASSIGNMENT(-=)
BARLINT_THRUST_ASSIGNMENT(*=)
BARLINT_THRUST_ASSIGNMENT(/=)
#undef BARLINT_THRUST_ASSIGNMENT
#undef BARLINT_THRUST_OPERATOR

struct use_default {};
template <typename... A> struct barlint_iterator {
    using difference_type = ptrdiff_t;
    using value_type = barlint_result;
    using reference = barlint_result;
    using pointer = barlint_result *;
    template <typename B> __host__ __device__ barlint_iterator operator+(const B &) const {
        return *this;
    }
    template <typename B> __host__ __device__ barlint_iterator operator-(const B &) const {
        return *this;
    }
    __host__ __device__ barlint_iterator &operator++() { return *this; }
    __host__ __device__ barlint_result operator*() const { return {}; }
    template <typename B> __host__ __device__ barlint_result operator[](const B &) const {
        return {};
    }
};
// The named kinds, made of anything.
#define BARLINT_THRUST_ITERATOR(name)                                                              \
    template <typename... A> struct name : barlint_iterator<A...> {                                \
        template <typename... B> __host__ __device__ name(const B &...) {}                         \
    };
BARLINT_THRUST_ITERATOR(transform_iterator)
BARLINT_THRUST_ITERATOR(transform_output_iterator)
BARLINT_THRUST_ITERATOR(tabulate_output_iterator)
BARLINT_THRUST_ITERATOR(zip_iterator)
BARLINT_THRUST_ITERATOR(permutation_iterator)
BARLINT_THRUST_ITERATOR(discard_iterator)
BARLINT_THRUST_ITERATOR(reverse_iterator)
#define BARLINT_THRUST_MAKE(name)                                                                  \
    template <typename... A>                                                                       \
    __host__ __device__ barlint_iterator<A...> make_##name(const A &...) {                         \
        return {};                                                                                 \
    }
BARLINT_THRUST_MAKE(transform_output_iterator)
BARLINT_THRUST_MAKE(tabulate_output_iterator)
BARLINT_THRUST_MAKE(reverse_iterator)
#undef BARLINT_THRUST_MAKE
template <typename F> __host__ __device__ F make_zip_function(F function) { return function; }
template <typename I> struct iterator_traits {
    using value_type = typename I::value_type;
    using reference = typename I::reference;
    using pointer = typename I::pointer;
    using difference_type = ptrdiff_t;
};
template <typename T> struct iterator_traits<T *> {
    using value_type = typename ::cuda::std::remove_cv<T>::type;
    using reference = T &;
    using pointer = T *;
    using difference_type = ptrdiff_t;
};
template <typename I> struct iterator_value {
    using type = typename iterator_traits<I>::value_type;
};
template <typename I> struct iterator_reference {
    using type = typename iterator_traits<I>::reference;
};
template <typename I> struct iterator_pointer {
    using type = typename iterator_traits<I>::pointer;
};
template <typename I> struct iterator_difference { using type = ptrdiff_t; };
struct host_system_tag {};
struct device_system_tag {};
struct any_system_tag {};
struct random_access_traversal_tag {};
template <typename I> struct iterator_system { using type = device_system_tag; };
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
namespace placeholders {
static constexpr barlint_result _1{}, _2{}, _3{}, _4{};
}
class system_error {
  public:
    template <typename... A> system_error(A &&...) {}
    const char *what() const noexcept { return ""; }
    int code() const noexcept { return 0; }
};
struct error_category {};
inline const error_category &cuda_category();
template <typename... A> int make_error_code(A &&...) { return 0; }
namespace system {
using thrust::system_error;
}

#define BARLINT_THRUST(name)                                                                       \
    template <typename... Named, typename... A> __host__ __device__ barlint_result name(A &&...) { \
        return {};                                                                                 \
    }
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
BARLINT_THRUST(transform_if)
BARLINT_THRUST(scatter_if)
BARLINT_THRUST(gather_if)
BARLINT_THRUST(unique_count)
BARLINT_THRUST(unique_copy)
BARLINT_THRUST(unique_by_key_copy)
BARLINT_THRUST(merge_by_key)
BARLINT_THRUST(remove_copy)
BARLINT_THRUST(remove_copy_if)
BARLINT_THRUST(replace_copy_if)
BARLINT_THRUST(find_if_not)
BARLINT_THRUST(uninitialized_fill_n)
BARLINT_THRUST(uninitialized_copy_n)
BARLINT_THRUST(shuffle)
BARLINT_THRUST(shuffle_copy)
BARLINT_THRUST(stable_partition)
BARLINT_THRUST(partition_copy)
BARLINT_THRUST(set_union)
BARLINT_THRUST(set_symmetric_difference)
BARLINT_THRUST(mismatch)
BARLINT_THRUST(is_partitioned)
BARLINT_THRUST(generate_n)
BARLINT_THRUST(partition_point)
template <typename I, typename J> __host__ __device__ ptrdiff_t distance(I a, J b);
template <typename I, typename D> __host__ __device__ void advance(I &i, D n) { i = i + n; }
template <typename I> __host__ __device__ I next(I i, ptrdiff_t n = 1) { return i + n; }
template <typename T> __host__ __device__ void swap(T &a, T &b) {
    T c = a;
    a = b;
    b = c;
}

// <complex.h> and programs of before C++11 have a macro of that name.
#pragma push_macro("complex")
#undef complex
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
#pragma pop_macro("complex")

} // namespace thrust

#endif
