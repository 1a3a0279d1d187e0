#include "frontend/command/dependencies.h"

#include <stdint.h>
#include <string.h>

#include "base/vec.h"
#include "frontend/command/file.h"

bool depfile_names(const char *text, size_t size, const char *directory, const char *header)
{
    struct arena scratch;
    arena_init(&scratch);
    const char *wanted = path_name(header);
    bool found = false;
    char *word = NULL; // stb_ds
    for (size_t i = 0; i <= size && !found; i++) {
        char c = i < size ? text[i] : '\n';
        bool escaped = c == '\\' && i + 1 < size && strchr(" #\\", text[i + 1]) && text[i + 1];
        if (escaped) {
            arrput(word, text[++i]);
        } else if (c == '$' && i + 1 < size && text[i + 1] == '$') {
            arrput(word, '$');
            i++;
        } else if (c == '\\' || c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\0') {
            // A backslash before a line's end continues the rule.
            arrput(word, '\0');
            if (strcmp(path_name(word), wanted) == 0) {
                found = strcmp(path_join(&scratch, directory, word), header) == 0;
            }
            arrsetlen(word, 0);
        } else {
            arrput(word, c);
        }
    }
    arrfree(word);
    arena_release(&scratch);
    return found;
}

static uint32_t read_word(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

// The log of ninja 1.0 to 1.13, little-endian: a line of text, a version, then records. A record
// is a size whose highest bit tells its kind: a path (padded, its checksum last; paths are
// numbered in order) or the dependencies of one output (its number, a time, the numbers read).
bool ninja_log_outputs(struct arena *arena, const unsigned char *data, size_t size,
                       const char *directory, const char *header, char ***out_outputs)
{
    static const char magic[] = "# ninjadeps\n";
    enum { HEAD = sizeof magic - 1 + 4, DEPENDENCIES = 0x80000000u };
    if (size < HEAD || memcmp(data, magic, sizeof magic - 1) != 0) {
        return false;
    }
    uint32_t version = read_word(data + sizeof magic - 1);
    if (version != 3 && version != 4) {
        return false;
    }
    size_t first_input = version == 4 ? 12 : 8; // behind the output's number and the time
    char **path = NULL;                         // stb_ds, by number
    ptrdiff_t wanted = -1;
    bool whole = true;
    size_t at = HEAD;
    while (at + 4 <= size) {
        uint32_t head = read_word(data + at);
        size_t length = head & ~(uint32_t)DEPENDENCIES;
        at += 4;
        if (length % 4 != 0 || length < 4 || length > size - at) {
            whole = false;
            break;
        }
        const unsigned char *record = data + at;
        at += length;
        if (!(head & DEPENDENCIES)) {
            char *name = arena_strndup(arena, (const char *)record, length - 4);
            if (wanted < 0 && strcmp(path_name(name), path_name(header)) == 0 &&
                strcmp(path_join(arena, directory, name), header) == 0) {
                wanted = arrlen(path);
            }
            arrput(path, name);
            continue;
        }
        uint32_t output = read_word(record);
        for (size_t i = first_input; i + 4 <= length && wanted >= 0; i += 4) {
            if (read_word(record + i) == (uint32_t)wanted && output < (size_t)arrlen(path)) {
                arrput(*out_outputs, path[output]);
                break;
            }
        }
    }
    arrfree(path);
    return whole;
}
