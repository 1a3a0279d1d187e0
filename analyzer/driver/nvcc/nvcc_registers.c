#define _GNU_SOURCE // memmem
// How many registers an instrumented kernel may use. The hooks would raise the number for every
// kernel, and a launch of many threads that fits into the registers of an SM without them would
// fail with them. Each kernel is bound to what it needed, or to a few more that fit any launch.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "driver/nvcc/nvcc.h"
#include "instrument/items.h"

// With so many, 1,024 threads fit into the 65,536 registers of an SM.
enum { FIT_ANY_LAUNCH = 64 };

// The ordinary way through the hooks takes some more than the kernel, and what is called has to do
// with few: the fewer, the more blocks run at a time. Rounds take least: a kernel of so few
// registers that an SM ran as many threads as it can keeps to that.
struct allowance {
    unsigned long more, least;
};

static const struct allowance for_hooks = {12, 40}, for_rounds = {8, 32};

static unsigned long bound(unsigned long used, struct allowance allowance)
{
    bool all_run = used <= allowance.least && allowance.least == for_rounds.least;
    unsigned long wanted = all_run ? allowance.least : used + allowance.more;
    wanted = wanted > allowance.least ? wanted : allowance.least;
    return used > FIT_ANY_LAUNCH ? used : wanted < FIT_ANY_LAUNCH ? wanted : FIT_ANY_LAUNCH;
}

static bool has(const char *text, size_t length, const char *word)
{
    return memmem(text, length, word, strlen(word)) != NULL;
}

// Of the kernel or function whose body begins at `body`.
static size_t length_of(const char *body)
{
    const char *next = strstr(body, ".entry"), *function = strstr(body, ".func");
    const char *end = next && (!function || next < function) ? next : function;
    return end ? (size_t)(end - body) : strlen(body);
}

// What a kernel gets. The instrumenter names the instructions that it has put hooks around, and
// only rounds use %bl_next (instrument/rewrite.c).
static struct allowance allowance_of(const char *body, size_t length)
{
    return has(body, length, "%bl_next") && !has(body, length, "// barlint: mbarrier") ? for_rounds
                                                                                       : for_hooks;
}

// The number after `word` in text[begin, end), 0 where there is none.
static unsigned long number_after(const char *begin, const char *end, const char *word)
{
    const char *at = memmem(begin, (size_t)(end - begin), word, strlen(word));
    return at ? strtoul(at + strlen(word), NULL, 10) : 0;
}

// What ptxas -v says that the kernel uses; 0 when it says nothing.
static unsigned long used_by(const char *report, const char *name, size_t length)
{
    static const char entry[] = "Compiling entry function '";
    for (const char *at = report; (at = strstr(at, entry)); ++at) {
        const char *said = at + strlen(entry), *next = strstr(said, entry);
        if (strncmp(said, name, length) == 0 && said[length] == '\'')
            return number_after(said, next ? next : said + strlen(said), ": Used ");
    }
    return 0;
}

struct nvcc_registers nvcc_bound_registers(FILE *out, const char *ptx, const char *report,
                                           bool linked)
{
    static const char word[] = ".entry ";
    const char *copied = ptx;
    struct nvcc_registers registers = {0};
    for (const char *at = ptx; (at = strstr(at, word));) {
        const char *name = at + strlen(word);
        size_t length = 0;
        while (item_is_name(name[length]))
            ++length;
        at = name + length;
        const char *body = strchr(at, '{'), *end = strchr(at, ')');
        if (!body)
            break;
        size_t body_length = length_of(body);
        registers.checked += has(body, body_length, "// barlint: ");
        const char *head = *at == '(' && end && end < body ? end + 1 : at;
        size_t head_length = (size_t)(body - head);
        unsigned long used = used_by(report, name, length);
        if (!used || has(head, head_length, ".maxnreg") || has(head, head_length, ".minnctapersm"))
            continue;
        fwrite(copied, 1, (size_t)(head - copied), out);
        unsigned long most = bound(used, allowance_of(body, body_length));
        most = linked && most < FIT_ANY_LAUNCH ? FIT_ANY_LAUNCH : most;
        fprintf(out, "\n.maxnreg %lu\n", most);
        if (registers.least == 0 || most < registers.least)
            registers.least = most;
        copied = head;
    }
    fputs(copied, out);
    return registers;
}
