// The arguments every parse needs, whatever the build says: how clang is made to read CUDA as
// nvcc does. The reasons are what `barlint translate` shows.
#include <string.h>

#include "base/vec.h"
#include "frontend/command/file.h"
#include "frontend/command/resource.h"
#include "frontend/command/translate_internal.h"

// The newest CUDA that clang 22 has heard of. What it decides for a parse is only that a launch
// calls __cudaPushCallConfiguration, as every CUDA since 9.2 does; a number clang has never
// heard of would turn that off.
#define CLANG_CUDA_VERSION "12.9"

// __CUDA_ARCH_SPECIFIC__ and __CUDA_ARCH_FAMILY_SPECIFIC__ came with this toolkit.
enum { SPECIFIC_MACROS_SINCE = 1209 };

struct base {
    struct reading *reading;
    char **argument; // stb_ds
};

// Adds one or two arguments; `second` may be NULL.
static void add(struct base *base, const char *first, const char *second, const char *reason)
{
    struct arena *arena = base->reading->arena;
    arrput(base->argument, arena_strdup(arena, first));
    char *result = shlex_quote(arena, first);
    if (second) {
        arrput(base->argument, arena_strdup(arena, second));
        result = arena_printf(arena, "%s %s", result, shlex_quote(arena, second));
    }
    reading_step(base->reading, STEP_ADDED, "", result, reason);
}

static void add_architecture(struct base *base, const struct translation *out)
{
    struct arena *arena = base->reading->arena;
    int toolkit = out->toolkit.version_major * 100 + out->toolkit.version_minor;
    add(base, arena_printf(arena, "--cuda-gpu-arch=%s", gpu_arch_name(arena, out->clang_arch)),
        NULL, "the architecture the source is compiled for");
    if (out->arch.number != out->clang_arch.number) {
        add(base, "-U__CUDA_ARCH__", NULL, "clang is older than the architecture");
        add(base, arena_printf(arena, "-D__CUDA_ARCH__=%d0", out->arch.number), NULL,
            "what nvcc defines for it");
        if (out->arch.suffix == 'a') {
            add(base, arena_printf(arena, "-D__CUDA_ARCH_FEAT_SM%d_ALL=1", out->arch.number), NULL,
                "what nvcc defines for it");
        }
    }
    bool specific = toolkit == 0 || toolkit >= SPECIFIC_MACROS_SINCE;
    if (out->arch.suffix == 'a' && specific) {
        add(base, arena_printf(arena, "-D__CUDA_ARCH_SPECIFIC__=%d0", out->arch.number), NULL,
            "nvcc defines it for an architecture with suffix a, clang does not");
    }
    if (out->arch.suffix && specific) {
        add(base, arena_printf(arena, "-D__CUDA_ARCH_FAMILY_SPECIFIC__=%d0", out->arch.number),
            NULL, "nvcc defines it for an architecture with a suffix, clang does not");
    }
}

static void add_versions(struct base *base, const struct translation *out)
{
    struct arena *arena = base->reading->arena;
    const struct toolkit *toolkit = &out->toolkit;
    int major = toolkit->version_major ? toolkit->version_major : 13;
    int minor = toolkit->version_major ? toolkit->version_minor : 0;
    const char *why = "nvcc defines its version, and headers ask for it";
    add(base, arena_printf(arena, "-D__CUDACC_VER_MAJOR__=%d", major), NULL, why);
    add(base, arena_printf(arena, "-D__CUDACC_VER_MINOR__=%d", minor), NULL, why);
    add(base, arena_printf(arena, "-D__CUDACC_VER_BUILD__=%d", toolkit->version_build), NULL, why);
    add(base, arena_printf(arena, "-D__CUDA_API_VER_MAJOR__=%d", major), NULL, why);
    add(base, arena_printf(arena, "-D__CUDA_API_VER_MINOR__=%d", minor), NULL, why);
    if (base->reading->options->define_nvcc) {
        add(base, "-D__NVCC__", NULL, "asked for: headers then take nvcc's way");
    }
}

static void add_mode(struct base *base)
{
    struct arena *arena = base->reading->arena;
    add(base, "-x", "cuda", "the language, whatever the file is called");
    add(base, "--cuda-device-only", NULL,
        "one parse that has __CUDA_ARCH__ and still holds the launches of the host side");
    add(base, "-nocudalib", NULL, "nothing is linked");
    add(base, "-nocudainc", NULL, "the toolkit's folders are given one by one, below");
    add(base, "-fgpu-rdc", NULL, "else clang refuses kernel launches from device code");
    add(base, "-Xclang", "-target-sdk-version=" CLANG_CUDA_VERSION,
        "else clang wants cudaConfigureCall for a launch");
    add(base, "-ferror-limit=0", NULL, "what parses after an error is analysed");
    add(base, "-Wno-unknown-cuda-version", NULL, "a toolkit newer than clang works");
    add(base, "-Wno-c++11-narrowing", NULL, "nvcc accepts narrowing in braces");
    add(base, "-Wno-register", NULL, "nvcc accepts register");
    add(base, "-Wno-invalid-constexpr", NULL,
        "nvcc accepts a constexpr function that is never constant");
    // With modules, which C++20 brings, clang refuses a precompiled header that was made without a
    // record of the preprocessing to a parse that keeps one.
    add(base, "-fno-cxx-modules", NULL, "nvcc has no modules");
    const char *clang = base->reading->options->clang_resource;
    if (!clang) {
        clang = resource_clang_directory(arena);
    }
    if (clang) {
        add(base, arena_printf(arena, "-resource-dir=%s", clang), NULL, "clang's own headers");
    }
}

// The folders of the toolkit stand behind the user's own, so that a newer CCCL of theirs wins.
static void add_toolkit(struct base *base, const struct translation *out, const char *resource)
{
    for (size_t i = 0; i < out->toolkit.include_count; i++) {
        add(base, "-isystem", out->toolkit.include[i], "headers of the CUDA toolkit");
    }
    if (!out->toolkit.has_random_kernel) {
        char *shim = path_join(base->reading->arena, resource, "barlint/shim");
        add(base, "-isystem", shim,
            "an empty curand_mtgp32_kernel.h: clang's CUDA wrapper reads it, the toolkit lacks it");
    }
}

bool base_arguments(struct reading *reading, struct translation *out, char ***before,
                    char ***behind, struct error *error)
{
    struct arena *arena = reading->arena;
    const char *resource = reading->options->resource;
    if (!resource) {
        resource = resource_directory(arena, error);
    }
    if (!resource) {
        return false;
    }
    struct base front = {.reading = reading};
    struct base back = {.reading = reading};
    add_mode(&front);
    add_architecture(&front, out);
    add(&front, arena_printf(arena, "-std=%s", out->language_standard), NULL,
        reading->standard ? "the command's standard" : "nvcc's default");
    add_versions(&front, out);
    bool toolkit = out->headers == HEADERS_TOOLKIT;
    if (!toolkit) {
        add(&front, "-DBARLINT_BUILTIN_HEADERS", NULL,
            "there is no toolkit: barlint's own declarations stand in");
        add(&front, "-isystem", path_join(arena, resource, "barlint/builtin"),
            "barlint's own declarations of the CUDA headers");
    }
    if (toolkit) {
        add(&front, "-I", path_join(arena, resource, "barlint/overlay"),
            "clang refuses a __shared__ cuda::barrier unless its header is read with care");
    }
    add(&front, "-include", path_join(arena, resource, "barlint/prelude.h"),
        toolkit ? "brings in clang's CUDA wrapper and makes clang keep what the analysis needs"
                : "makes clang keep what the analysis needs");
    if (toolkit) {
        add_toolkit(&back, out, resource);
    } else {
        add(&back, "-idirafter", path_join(arena, resource, "barlint/builtin/std"),
            "a lean C++ library, for machines that have none");
        add(&back, "-idirafter", path_join(arena, resource, "barlint/builtin/std/c"),
            "a lean C library, likewise");
    }
    add(&back, "-idirafter", path_join(arena, resource, RESOURCE_TORCH),
        "declarations of torch, for machines that have none");
    *before = front.argument;
    *behind = back.argument;
    return true;
}
