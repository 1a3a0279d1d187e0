#include "base/wording.h"

#include <stdbool.h>
#include <string.h>

// Length of "{one|several}" at the start of `text`, 0 where it is something else.
static size_t choice_length(const char *text, const char **bar)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz ";
    size_t one = 1 + strspn(text + 1, letters);
    if (text[one] != '|' || text[one - 1] == ' ') // C++ has braces and bars, too
        return 0;
    *bar = text + one;
    size_t several = one + 1 + strspn(text + one + 1, letters);
    return text[several] == '}' ? several + 1 : 0;
}

void wording_agree(char *text)
{
    static const char single[] = "thread ", plural[] = "threads ";
    bool one = false;
    char *out = text;
    for (const char *in = text; *in;) {
        if (strncmp(in, single, sizeof single - 1) == 0)
            one = true;
        else if (strncmp(in, plural, sizeof plural - 1) == 0)
            one = false;
        const char *bar = NULL;
        size_t length = *in == '{' ? choice_length(in, &bar) : 0;
        if (length == 0) {
            *out++ = *in++;
            continue;
        }
        const char *form = one ? in + 1 : bar + 1;
        size_t size = one ? (size_t)(bar - form) : (size_t)(in + length - 1 - form);
        memmove(out, form, size);
        out += size;
        in += length;
    }
    *out = '\0';
}
