// Cases that are run twice: compiled by the host's compiler, and lowered to the IR and interpreted.
// Both must give the same numbers.
#pragma once
#ifdef __CUDA__
#define DEV __attribute__((device))
#define TEST(name) DEV int name()
typedef unsigned long size_t;
DEV inline void *operator new(size_t, void *p) noexcept
{
    return p;
}
#else
#include <cstddef>
#include <cstdio>
#include <new>
#define DEV
struct registration {
    const char *name;
    int (*run)();
    registration *next;
    static registration *&first()
    {
        static registration *list = nullptr;
        return list;
    }
    registration(const char *n, int (*r)()) : name(n), run(r), next(first())
    {
        first() = this;
    }
};
#define TEST(name)                                                                                 \
    int name();                                                                                    \
    static registration name##_registration(#name, name);                                         \
    int name()
#endif
