// The sequences of the C++ library, declared: what a host program around kernels needs to parse.
#ifndef BARLINT_STD_SEQUENCE_H
#define BARLINT_STD_SEQUENCE_H

#include <cstddef>
#include <cuda/std/algorithm>
#include <initializer_list>
#include <iterator>
#include <memory>

#define BARLINT_SEQUENCE(name)                                                                     \
    template <typename T, typename A = allocator<T>> class name {                                  \
        T *first;                                                                                  \
        size_t count, reserved;                                                                    \
                                                                                                   \
      public:                                                                                      \
        using value_type = T;                                                                      \
        using size_type = size_t;                                                                  \
        using difference_type = ptrdiff_t;                                                         \
        using reference = T &;                                                                     \
        using const_reference = const T &;                                                         \
        using pointer = T *;                                                                       \
        using iterator = T *;                                                                      \
        using const_iterator = const T *;                                                          \
        name();                                                                                    \
        explicit name(size_t n);                                                                   \
        name(size_t n, const T &value);                                                            \
        name(initializer_list<T> values);                                                          \
        template <typename I, typename = decltype(*I())> name(I begin, I end);                     \
        name(const name &);                                                                        \
        name(name &&) noexcept;                                                                    \
        ~name();                                                                                   \
        name &operator=(const name &);                                                             \
        name &operator=(name &&) noexcept;                                                         \
        T &operator[](size_t i) { return first[i]; }                                               \
        const T &operator[](size_t i) const { return first[i]; }                                   \
        T &at(size_t i) { return first[i]; }                                                       \
        const T &at(size_t i) const { return first[i]; }                                           \
        T &front() { return *first; }                                                              \
        const T &front() const { return *first; }                                                  \
        T &back() { return first[count - 1]; }                                                     \
        const T &back() const { return first[count - 1]; }                                         \
        T *data() noexcept { return first; }                                                       \
        const T *data() const noexcept { return first; }                                           \
        T *begin() noexcept { return first; }                                                      \
        const T *begin() const noexcept { return first; }                                          \
        T *end() noexcept { return first + count; }                                                \
        const T *end() const noexcept { return first + count; }                                    \
        const T *cbegin() const noexcept { return first; }                                         \
        const T *cend() const noexcept { return first + count; }                                   \
        reverse_iterator<T *> rbegin() noexcept { return {first + count}; }                        \
        reverse_iterator<T *> rend() noexcept { return {first}; }                                  \
        size_t size() const noexcept { return count; }                                             \
        size_t capacity() const noexcept { return reserved; }                                      \
        bool empty() const noexcept { return count == 0; }                                         \
        void clear() noexcept;                                                                     \
        void reserve(size_t n);                                                                    \
        void resize(size_t n);                                                                     \
        void resize(size_t n, const T &value);                                                     \
        void shrink_to_fit();                                                                      \
        void assign(size_t n, const T &value);                                                     \
        template <typename I> void assign(I begin, I end);                                         \
        void push_back(const T &value);                                                            \
        void push_back(T &&value);                                                                 \
        void push_front(const T &value);                                                           \
        void pop_back();                                                                           \
        void pop_front();                                                                          \
        template <typename... B> T &emplace_back(B &&...) { return *first; }                       \
        template <typename... B> iterator insert(B &&...) { return first; }                        \
        template <typename... B> iterator erase(B &&...) { return first; }                         \
        void swap(name &other) noexcept;                                                           \
    };                                                                                             \
    template <typename T, typename A> bool operator==(const name<T, A> &, const name<T, A> &);     \
    template <typename T, typename A> bool operator!=(const name<T, A> &, const name<T, A> &);

namespace std {
using namespace ::cuda::std;
BARLINT_SEQUENCE(vector)
BARLINT_SEQUENCE(deque)
BARLINT_SEQUENCE(list)
template <typename T, typename C = deque<T>> class queue {
    C inside;

  public:
    void push(const T &v);
    void pop();
    T &front() { return inside.front(); }
    T &back() { return inside.back(); }
    T &top() { return inside.front(); }
    size_t size() const { return inside.size(); }
    bool empty() const { return inside.empty(); }
    template <typename... B> void emplace(B &&...) {}
};
template <typename T, typename C = deque<T>> using stack = queue<T, C>;
template <typename T, typename C = vector<T>, typename L = void> using priority_queue = queue<T, C>;
} // namespace std

#endif
