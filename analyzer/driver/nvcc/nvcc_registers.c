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

// With so many, 1,024 threads fit into the 65,536 registers of an SM. The ordinary way through the
// hooks takes some more than the kernel, and what is called has to do with few: the fewer, the more
// blocks run at a time.
enum { FIT_ANY_LAUNCH = 64, FOR_HOOKS = 12, FOR_CALLS = 40 };

static unsigned long bound(unsigned long used)
{
    unsigned long wanted = used + FOR_HOOKS > FOR_CALLS ? used + FOR_HOOKS : FOR_CALLS;
    return used > FIT_ANY_LAUNCH ? used : wanted < FIT_ANY_LAUNCH ? wanted : FIT_ANY_LAUNCH;
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

void nvcc_bound_registers(FILE *out, const char *ptx, const char *report)
{
    static const char word[] = ".entry ";
    const char *copied = ptx;
    for (const char *at = ptx; (at = strstr(at, word));) {
        const char *name = at + strlen(word);
        size_t length = 0;
        while (item_is_name(name[length]))
            ++length;
        at = name + length;
        const char *body = strchr(at, '{'), *end = strchr(at, ')');
        if (!body)
            break;
        const char *head = *at == '(' && end && end < body ? end + 1 : at;
        unsigned long used = used_by(report, name, length);
        if (!used || memmem(head, (size_t)(body - head), ".maxnreg", strlen(".maxnreg")) ||
            memmem(head, (size_t)(body - head), ".minnctapersm", strlen(".minnctapersm")))
            continue;
        fwrite(copied, 1, (size_t)(head - copied), out);
        fprintf(out, "\n.maxnreg %lu\n", bound(used));
        copied = head;
    }
    fputs(copied, out);
}
