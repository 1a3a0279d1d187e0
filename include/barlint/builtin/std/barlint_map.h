// The maps and sets of the C++ library, declared.
#ifndef BARLINT_STD_MAP_H
#define BARLINT_STD_MAP_H

#include <functional>
#include <initializer_list>
#include <string>
#include <utility>

#define BARLINT_KEYED(name, V)                                                                     \
    V *first;                                                                                      \
    size_t held;                                                                                   \
                                                                                                   \
  public:                                                                                          \
    using key_type = K;                                                                            \
    using value_type = V;                                                                          \
    using size_type = size_t;                                                                      \
    using iterator = V *;                                                                          \
    using const_iterator = const V *;                                                              \
    name();                                                                                        \
    name(initializer_list<V> values);                                                              \
    template <typename I, typename = decltype(*I())> name(I begin, I end);                         \
    V *begin() const { return first; }                                                             \
    V *end() const { return first + held; }                                                        \
    V *find(const K &key) const;                                                                   \
    V *lower_bound(const K &key) const;                                                            \
    V *upper_bound(const K &key) const;                                                            \
    size_t size() const { return held; }                                                           \
    bool empty() const { return held == 0; }                                                       \
    size_t erase(const K &key);                                                                    \
    V *erase(V *at);                                                                               \
    void clear();                                                                                  \
    void reserve(size_t n);                                                                        \
    bool contains(const K &key) const;                                                             \
    pair<V *, bool> insert(const V &value);                                                        \
    template <typename I> void insert(I begin, I end);                                             \
    template <typename... B> pair<V *, bool> emplace(B &&...) { return {first, true}; }
#define BARLINT_MAP(name)                                                                          \
    template <typename K, typename T, typename X = void, typename Y = void, typename Z = void>     \
    class name {                                                                                   \
        using barlint_value = pair<const K, T>;                                                    \
        BARLINT_KEYED(name, barlint_value)                                                         \
        using mapped_type = T;                                                                     \
        T &operator[](const K &key);                                                               \
        T &at(const K &key);                                                                       \
        const T &at(const K &key) const;                                                           \
        size_t count(const K &key) const;                                                          \
    };
#define BARLINT_SET(name)                                                                          \
    template <typename K, typename X = void, typename Y = void, typename Z = void> class name {    \
        BARLINT_KEYED(name, K)                                                                     \
    };

namespace std {
BARLINT_MAP(map)
BARLINT_MAP(multimap)
BARLINT_MAP(unordered_map)
BARLINT_MAP(unordered_multimap)
BARLINT_SET(set)
BARLINT_SET(multiset)
BARLINT_SET(unordered_set)
BARLINT_SET(unordered_multiset)
} // namespace std

#endif
