#include "frontend/command/gpu_arch.h"

#include <ctype.h>
#include <string.h>

// What clang 22 accepts behind --cuda-gpu-arch=sm_, in ascending order.
static const struct {
    int number;
    const char *suffixes; // those it knows besides none
} clang_archs[] = {
    {20, ""},    {21, ""},    {30, ""},    {32, ""},    {35, ""},    {37, ""},    {50, ""},
    {52, ""},    {53, ""},    {60, ""},    {61, ""},    {62, ""},    {70, ""},    {72, ""},
    {75, ""},    {80, ""},    {86, ""},    {87, ""},    {88, ""},    {89, ""},    {90, "a"},
    {100, "fa"}, {101, "fa"}, {103, "fa"}, {110, "fa"}, {120, "fa"}, {121, "fa"},
};

// Which toolkits build for which architectures, as majorminor (1208 for 12.8).
static const struct {
    int number;
    int since;
    int until;
} nvcc_archs[] = {
    {35, 0, 1108},     {37, 0, 1108},     {50, 0, 1209},     {52, 0, 1209},     {53, 0, 1209},
    {60, 0, 1209},     {61, 0, 1209},     {62, 0, 1209},     {70, 0, 1209},     {72, 0, 1209},
    {75, 0, 9999},     {80, 0, 9999},     {86, 0, 9999},     {87, 0, 9999},     {88, 1300, 9999},
    {89, 1108, 9999},  {90, 1108, 9999},  {100, 1208, 9999}, {101, 1208, 1209}, {103, 1209, 9999},
    {107, 1305, 9999}, {110, 1300, 9999}, {120, 1208, 9999}, {121, 1209, 9999},
};

enum { NEWEST_TOOLKIT = 1305 };

bool gpu_arch_parse(const char *text, struct gpu_arch *out_arch)
{
    static const char *const prefixes[] = {"sm_", "compute_", "lto_"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t length = strlen(prefixes[i]);
        if (strncmp(text, prefixes[i], length) == 0) {
            text += length;
            break;
        }
    }
    int number = 0;
    size_t digits = 0;
    while (isdigit((unsigned char)text[digits])) {
        if (digits == 4) {
            return false;
        }
        number = number * 10 + (text[digits] - '0');
        digits++;
    }
    char suffix = text[digits];
    bool known = suffix == '\0' || ((suffix == 'a' || suffix == 'f') && text[digits + 1] == '\0');
    if (digits < 2 || number < 10 || !known) {
        return false;
    }
    *out_arch = (struct gpu_arch){.number = number, .suffix = suffix};
    return true;
}

static int suffix_rank(char suffix)
{
    return suffix == 'a' ? 2 : suffix == 'f' ? 1 : 0;
}

int gpu_arch_compare(struct gpu_arch a, struct gpu_arch b)
{
    if (a.number != b.number) {
        return a.number < b.number ? -1 : 1;
    }
    return suffix_rank(a.suffix) - suffix_rank(b.suffix);
}

char *gpu_arch_name(struct arena *arena, struct gpu_arch arch)
{
    char suffix[2] = {arch.suffix, '\0'};
    return arena_printf(arena, "sm_%d%s", arch.number, suffix);
}

struct gpu_arch gpu_arch_for_clang(struct gpu_arch arch)
{
    size_t best = 0;
    for (size_t i = 0; i < sizeof clang_archs / sizeof *clang_archs; i++) {
        if (clang_archs[i].number <= arch.number) {
            best = i;
        }
    }
    struct gpu_arch found = {.number = clang_archs[best].number};
    bool same = found.number == arch.number;
    if (same && arch.suffix && strchr(clang_archs[best].suffixes, arch.suffix)) {
        found.suffix = arch.suffix;
    }
    return found;
}

size_t gpu_arch_all(int major, int minor, bool only_major, struct gpu_arch *out_arch)
{
    int toolkit = major ? major * 100 + minor : NEWEST_TOOLKIT;
    size_t count = 0;
    bool first = true;
    for (size_t i = 0; i < sizeof nvcc_archs / sizeof *nvcc_archs; i++) {
        if (toolkit < nvcc_archs[i].since || toolkit > nvcc_archs[i].until) {
            continue;
        }
        // all-major is every sm_*0 and the earliest architecture.
        bool wanted = !only_major || first || nvcc_archs[i].number % 10 == 0;
        first = false;
        if (wanted && count < GPU_ARCH_ALL_MAX) {
            out_arch[count++] = (struct gpu_arch){.number = nvcc_archs[i].number};
        }
    }
    return count;
}

struct gpu_arch gpu_arch_default(int major)
{
    return (struct gpu_arch){.number = major == 0 || major >= 13 ? 75 : 52};
}
