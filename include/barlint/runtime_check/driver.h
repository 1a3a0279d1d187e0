// Kernels that are launched by the driver's API, and modules that are loaded by it. The functions here
// stand before libcuda's in every program or library that has a unit of `barlint nvcc`: the device is
// prepared before a launch, and a module that is loaded gets its state. What asks the driver for its
// functions by name (cuGetProcAddress, dlsym) passes them by.
#ifndef BARLINT_RUNTIME_CHECK_DRIVER_H
#define BARLINT_RUNTIME_CHECK_DRIVER_H

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sites.h"

BARLINT_RT_HOST_SIDE {

// As cuda.h has them, under other names: a unit need not include it.
typedef int barlint_rt_result; // CUresult; 0: success
typedef unsigned long long barlint_rt_pointer; // CUdeviceptr
#define BARLINT_RT_NOT_FOUND 500               // CUDA_ERROR_NOT_FOUND

inline void *barlint_rt_driver_function(const char *name)
{
    static void *library;
    if (!library) {
        library = dlopen("libcuda.so.1", RTLD_LAZY);
    }
    return library ? dlsym(library, name) : 0;
}

// A library that was loaded. It belongs to no context: on each device its state is set before the first
// launch there.
struct barlint_rt_loaded {
    void *library;
    bool tells;                       // its places are known
    uint64_t has[BARLINT_RT_DEVICES]; // the state that it has there; 0: none yet
    struct barlint_rt_loaded *next;
};

struct barlint_rt_libraries {
    pthread_mutex_t lock; // of whoever goes over them: they are put in front without it
    struct barlint_rt_loaded *first;
    uint64_t loads;
    uint64_t served[BARLINT_RT_DEVICES];    // the state that all of them have there; 0: not all
    uint64_t served_of[BARLINT_RT_DEVICES]; // after how many loads
};

inline struct barlint_rt_libraries *barlint_rt_loaded_libraries(void)
{
    static struct barlint_rt_libraries libraries; // all zero, which is a free mutex, too
    return &libraries;
}

typedef barlint_rt_result (*barlint_rt_get_global)(barlint_rt_pointer *, size_t *, void *,
                                                   const char *);

// Takes the next part of a line; the rest begins at `*at`.
inline char *barlint_rt_part(char **at, char end)
{
    char *part = *at, *stop = strchr(part, end);
    *at = stop ? stop + 1 : part + strlen(part);
    if (stop) {
        *stop = 0;
    }
    return part;
}

// The table of places that a module carries, as instrument_places() wrote it: text that stays.
inline void barlint_rt_register_text(char *text)
{
    uint32_t number = (uint32_t)strtoul(barlint_rt_part(&text, '\t'), 0, 10);
    uint32_t first = (uint32_t)strtoul(barlint_rt_part(&text, '\t'), 0, 10);
    uint32_t count = (uint32_t)strtoul(barlint_rt_part(&text, '\n'), 0, 10);
    struct barlint_rt_site *sites =
        (struct barlint_rt_site *)calloc((size_t)first + count + 1, sizeof *sites);
    struct barlint_rt_module *m =
        (struct barlint_rt_module *)calloc(1, sizeof *m);
    if (!sites || !m) {
        free(sites);
        free(m);
        return;
    }
    for (uint32_t i = 0; i < first; i++) {
        sites[i].file = sites[i].instruction = "";
    }
    for (uint32_t i = first; i < first + count; i++) {
        sites[i].line = (uint32_t)strtoul(barlint_rt_part(&text, '\t'), 0, 10);
        sites[i].column = (uint32_t)strtoul(barlint_rt_part(&text, '\t'), 0, 10);
        sites[i].inlined_at = (uint32_t)strtoul(barlint_rt_part(&text, '\t'), 0, 10);
        sites[i].bypassed = (uint32_t)strtoul(barlint_rt_part(&text, '\t'), 0, 10);
        sites[i].file = barlint_rt_part(&text, '\t');
        sites[i].function = barlint_rt_part(&text, '\t');
        sites[i].instruction = barlint_rt_part(&text, '\n');
    }
    m->number = number;
    m->sites = sites;
    m->site_count = first + count;
    barlint_rt_register(m);
}

inline void *barlint_rt_at(barlint_rt_pointer pointer)
{
    return (void *)(uintptr_t)pointer;
}

// The table of places of a module or a library, unless it is known: the same code was loaded before.
// `get` is what finds its variables.
inline bool barlint_rt_adopt_places(void *handle, barlint_rt_get_global get,
                                    struct barlint_rt_aside *aside)
{
    barlint_rt_pointer at;
    size_t size;
    char *text = get(&at, &size, handle, "barlint_rt_places") == 0 ? (char *)calloc(1, size + 1) : 0;
    if (!text || !barlint_rt_copy_aside(aside, text, barlint_rt_at(at), size)) {
        free(text);
        return false;
    }
    if (barlint_rt_module_of((uint64_t)strtoul(text, 0, 10) << 32)) {
        free(text);
    } else {
        barlint_rt_register_text(text);
    }
    return true;
}

// Gives a module or a library the state of the current device. Returns false where that is to be tried again.
// `*tells`: its places are known, or it is not checked.
inline bool barlint_rt_adopt(void *handle, const char *get_name, bool *tells)
{
    barlint_rt_get_global get = (barlint_rt_get_global)barlint_rt_driver_function(get_name);
    barlint_rt_prepare();
    unsigned long long state = barlint_rt_state_here();
    struct barlint_rt_aside aside;
    if (!state || !get || !barlint_rt_step_aside(&aside)) {
        return false;
    }
    barlint_rt_pointer at, state_at;
    size_t size;
    barlint_rt_result found = get(&at, &size, handle, BARLINT_RT_STATE_AT);
    bool done = found == 0 &&
                barlint_rt_copy_aside(&aside, &state_at, barlint_rt_at(at), sizeof state_at) &&
                barlint_rt_copy_aside(&aside, barlint_rt_at(state_at), &state, sizeof state);
    if (done && !*tells) {
        *tells = barlint_rt_adopt_places(handle, get, &aside);
    }
    barlint_rt_step_back(&aside);
    if (found == BARLINT_RT_NOT_FOUND) {
        static bool said;
        if (!said) {
            said = true;
            fputs("barlint: code that the program loads by the driver's API is not checked: it was "
                  "not built with 'barlint nvcc', or not with that of the program\n",
                  stderr);
        }
        *tells = true;
    }
    return done || found == BARLINT_RT_NOT_FOUND;
}

inline bool barlint_rt_adopt_module(void *module)
{
    bool tells = false;
    return barlint_rt_adopt(module, "cuModuleGetGlobal_v2", &tells);
}

// Threads that launch at the same time wait for whoever sees to it: a library may lack its state still.
inline void barlint_rt_adopt_libraries(void)
{
    struct barlint_rt_libraries *libraries = barlint_rt_loaded_libraries();
    if (!__atomic_load_n(&libraries->first, __ATOMIC_ACQUIRE)) {
        return;
    }
    uint64_t state = barlint_rt_state_here();
    int device = barlint_rt_device_here();
    if (!state || device < 0) {
        return;
    }
    // Behind a reset, memory may lie where it lay before: addresses have fewer than 56 bits.
    state ^= (uint64_t)(barlint_rt_this_program()->resets[device] & 0xffu) << 56;
    uint64_t loads = __atomic_load_n(&libraries->loads, __ATOMIC_ACQUIRE);
    if (__atomic_load_n(&libraries->served[device], __ATOMIC_ACQUIRE) == state &&
        __atomic_load_n(&libraries->served_of[device], __ATOMIC_RELAXED) == loads) {
        return;
    }
    pthread_mutex_lock(&libraries->lock);
    bool all = true;
    for (struct barlint_rt_loaded *one = __atomic_load_n(&libraries->first, __ATOMIC_ACQUIRE); one;
         one = one->next) {
        if (one->has[device] != state &&
            barlint_rt_adopt(one->library, "cuLibraryGetGlobal", &one->tells)) {
            one->has[device] = state;
        }
        all = all && one->has[device] == state;
    }
    if (all) {
        __atomic_store_n(&libraries->served_of[device], loads, __ATOMIC_RELAXED);
    }
    __atomic_store_n(&libraries->served[device], all ? state : 0, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&libraries->lock);
}

// Without the lock: whoever loads it from a constructor holds the loader's, and CUDA, which loads libraries
// of its own while one gets its state, may wait for that.
inline void barlint_rt_await_launches(void *library)
{
    struct barlint_rt_loaded *one = (struct barlint_rt_loaded *)calloc(1, sizeof *one);
    struct barlint_rt_libraries *libraries = barlint_rt_loaded_libraries();
    if (!one) {
        return;
    }
    one->library = library;
    one->next = __atomic_load_n(&libraries->first, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&libraries->first, &one->next, one, true, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED)) {
    }
    __atomic_add_fetch(&libraries->loads, 1u, __ATOMIC_RELEASE);
}

// It is about to be unloaded, and another may get its handle.
inline void barlint_rt_forget_library(void *library)
{
    struct barlint_rt_libraries *libraries = barlint_rt_loaded_libraries();
    pthread_mutex_lock(&libraries->lock);
    struct barlint_rt_loaded **at, *one, *found;
    do {
        at = &libraries->first;
        while ((one = __atomic_load_n(at, __ATOMIC_ACQUIRE)) && one->library != library) {
            at = &one->next;
        }
        found = one;
    } while (found && !__atomic_compare_exchange_n(at, &one, found->next, false, __ATOMIC_RELEASE,
                                                   __ATOMIC_RELAXED));
    free(found);
    pthread_mutex_unlock(&libraries->lock);
}

} // namespace

// A function of the driver, with something done before it and after it. Weak: every unit brings it.
#define BARLINT_RT_DRIVER(name, parameters, arguments, before, after)                              \
    extern "C" __attribute__((weak, used, visibility("default")))                                  \
    barlint_rt_result barlint_rt_driver_##name parameters __asm__(#name);                          \
    extern "C" barlint_rt_result barlint_rt_driver_##name parameters                               \
    {                                                                                              \
        typedef barlint_rt_result(*function) parameters;                                           \
        function real = (function)barlint_rt_driver_function(#name);                               \
        if (!real) {                                                                               \
            return 100; /* CUDA_ERROR_NO_DEVICE: there is no driver */                             \
        }                                                                                          \
        before;                                                                                    \
        barlint_rt_result result = real arguments;                                                 \
        if (result == 0) {                                                                         \
            after;                                                                                 \
        }                                                                                          \
        return result;                                                                             \
    }

#define BARLINT_RT_DRIVER_LAUNCH(name, parameters, arguments)                                      \
    BARLINT_RT_DRIVER(name, parameters, arguments,                                                 \
                      (barlint_rt_prepare(), barlint_rt_adopt_libraries()), (void)0)                 \
    BARLINT_RT_DRIVER(name##_ptsz, parameters, arguments,                                          \
                      (barlint_rt_prepare(), barlint_rt_adopt_libraries()), (void)0)

#define BARLINT_RT_GRID                                                                            \
    unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned bytes,  \
        void *stream
BARLINT_RT_DRIVER_LAUNCH(cuLaunchKernel, (void *f, BARLINT_RT_GRID, void **values, void **extra),
                         (f, gx, gy, gz, bx, by, bz, bytes, stream, values, extra))
BARLINT_RT_DRIVER_LAUNCH(cuLaunchCooperativeKernel, (void *f, BARLINT_RT_GRID, void **values),
                         (f, gx, gy, gz, bx, by, bz, bytes, stream, values))
BARLINT_RT_DRIVER_LAUNCH(cuLaunchKernelEx,
                         (const void *config, void *f, void **values, void **extra),
                         (config, f, values, extra))
BARLINT_RT_DRIVER_LAUNCH(cuGraphLaunch, (void *graph, void *stream), (graph, stream))

#define BARLINT_RT_DRIVER_LOAD(name, parameters, arguments)                                        \
    BARLINT_RT_DRIVER(name, parameters, arguments, (void)0,                                        \
                      (void)barlint_rt_adopt_module(*module))
BARLINT_RT_DRIVER_LOAD(cuModuleLoad, (void **module, const char *path), (module, path))
BARLINT_RT_DRIVER_LOAD(cuModuleLoadData, (void **module, const void *image), (module, image))
BARLINT_RT_DRIVER_LOAD(cuModuleLoadDataEx,
                       (void **module, const void *image, unsigned count, void *options,
                        void **values),
                       (module, image, count, options, values))
BARLINT_RT_DRIVER_LOAD(cuModuleLoadFatBinary, (void **module, const void *image), (module, image))

#define BARLINT_RT_LIBRARY_OPTIONS                                                                 \
    void *jit, void **jit_values, unsigned jit_count, void *options, void **values, unsigned count
BARLINT_RT_DRIVER(cuLibraryLoadData,
                  (void **library, const void *image, BARLINT_RT_LIBRARY_OPTIONS),
                  (library, image, jit, jit_values, jit_count, options, values, count), (void)0,
                  barlint_rt_await_launches(*library))
BARLINT_RT_DRIVER(cuLibraryLoadFromFile,
                  (void **library, const char *path, BARLINT_RT_LIBRARY_OPTIONS),
                  (library, path, jit, jit_values, jit_count, options, values, count), (void)0,
                  barlint_rt_await_launches(*library))

BARLINT_RT_DRIVER(cuLibraryUnload, (void *library), (library),
                  barlint_rt_forget_library(library), (void)0)

#endif
