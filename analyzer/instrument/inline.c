#define _GNU_SOURCE // memmem
#include "instrument/inline.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "instrument/instruction.h"
#include "instrument/items.h"

enum {
    LONGEST_HOOK = 450,    // instructions
    LARGEST_GROWTH = 40000 // instructions that one hook may add to a module
};

// --- Bodies --------------------------------------------------------------------------------------

enum { MOST_PARAMETERS = 16 };

// What a header declares.
struct header {
    const char *name;
    const char *result; // its parameter; NULL: none
    const char *parameter[MOST_PARAMETERS];
    uint32_t count;
};

// The last name before `end`; NULL for none after `begin`.
static const char *name_before(struct arena *arena, const char *begin, const char *end)
{
    while (end > begin && !item_is_name(end[-1]))
        --end;
    const char *from = end;
    while (from > begin && item_is_name(from[-1]))
        --from;
    return from < end ? arena_strndup(arena, from, (size_t)(end - from)) : NULL;
}

// Reads `.func (RESULT) NAME(PARAMETER, ...)`. Returns false for one of too many parameters.
static bool read_header(struct arena *arena, const char *text, const struct item *item,
                        struct header *out)
{
    *out = (struct header){0};
    const char *end = text + item->end, *open = end;
    while (open > text + item->begin && *open != '(')
        --open;
    const char *close = memchr(text + item->begin, ')', (size_t)(open - text) - item->begin);
    out->name = name_before(arena, close ? close + 1 : text + item->begin, open);
    if (close)
        out->result = name_before(arena, text + item->begin, close);
    for (const char *at = open + 1; at < end; ++at) {
        if (*at != ',' && *at != ')')
            continue;
        if (out->count == MOST_PARAMETERS)
            return false;
        out->parameter[out->count] = name_before(arena, open + 1, at);
        out->count += out->parameter[out->count] != NULL;
        if (*at == ')')
            break;
    }
    return out->name != NULL;
}

// Is the operand `[NAME]` or `[NAME+0]`?
static bool is_at(const char *operand, const char *name)
{
    size_t length = name ? strlen(name) : 0;
    return length && *operand == '[' && strncmp(operand + 1, name, length) == 0 &&
           (strcmp(operand + 1 + length, "]") == 0 || strcmp(operand + 1 + length, "+0]") == 0);
}

// Writes an instruction of a hook's body: parameters and result are registers, and what returns
// goes to the end. Returns false for what has no place in the middle of other code.
static bool write_body_instruction(FILE *out, struct arena *arena, const struct header *header,
                                   const char *text, size_t length)
{
    struct instruction instruction;
    if (!instruction_parse(arena, text, length, &instruction))
        return false;
    const char *word = instruction.part[0];
    uint32_t bits = strstr(instruction.part[instruction.part_count - 1], "64") ? 64 : 32;
    if (strcmp(word, "ret") == 0) {
        if (instruction.guard)
            fprintf(out, "@%s%s ", instruction.guard_negated ? "!" : "", instruction.guard);
        fputs("bra $bl_end;\n", out);
        return true;
    }
    bool moves = instruction_has(&instruction, "param") && instruction.operand_count == 2;
    for (uint32_t i = 0; moves && strcmp(word, "ld") == 0 && i < header->count; ++i)
        if (is_at(instruction.operand[1], header->parameter[i])) {
            fprintf(out, "mov.b%u %s, %%bl_i%u;\n", bits, instruction.operand[0], i);
            return true;
        }
    if (moves && strcmp(word, "st") == 0 && is_at(instruction.operand[0], header->result)) {
        fprintf(out, "mov.b%u %%bl_ir, %s;\n", bits, instruction.operand[1]);
        return true;
    }
    fwrite(text, 1, length, out);
    fputc('\n', out);
    return strcmp(word, "brx") != 0 && strcmp(word, "alloca") != 0;
}

// The body behind a header. Returns NULL for one that is too long, or has what cannot be moved.
static char *read_body(struct arena *arena, struct items *items, const struct header *header,
                       uint32_t *out_count)
{
    char *body = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&body, &size);
    bool is_good = out != NULL;
    struct item item;
    *out_count = 0;
    while (items->depth && (item = items_next(items)).kind != ITEM_END) {
        if (!is_good || item.kind == ITEM_LINE || items->depth == 0)
            continue;
        const char *text = items->text + item.begin;
        size_t length = item.end - item.begin;
        if (item.kind == ITEM_INSTRUCTION) {
            is_good = ++*out_count <= LONGEST_HOOK &&
                      write_body_instruction(out, arena, header, text, length);
        } else { // frames and tables of jumps cannot be in braces within a function
            is_good = !memmem(text, length, ".local", strlen(".local")) &&
                      !memmem(text, length, ".branchtargets", strlen(".branchtargets"));
            fwrite(text, 1, length, out);
            fputc('\n', out);
        }
    }
    if (out)
        fclose(out);
    char *result = is_good ? arena_strdup(arena, body) : NULL;
    free(body);
    return result;
}

void inlining_init(struct inlining *inlining, const char *library, size_t length)
{
    *inlining = (struct inlining){0};
    arena_init(&inlining->arena);
    struct items items;
    items_init(&items, library, length);
    struct item item;
    while ((item = items_next(&items)).kind != ITEM_END) {
        if (item.kind != ITEM_FUNCTION || library[item.end - 1] == ';')
            continue;
        struct header header;
        bool is_read = read_header(&inlining->arena, library, &item, &header);
        if (items_next(&items).kind != ITEM_OPEN || !is_read)
            continue;
        struct inline_hook hook = {.key = arena_strdup(&inlining->arena, header.name)};
        hook.text = read_body(&inlining->arena, &items, &header, &hook.instructions);
        if (hook.text)
            shputs(inlining->hook, hook);
    }
}

void inlining_release(struct inlining *inlining)
{
    shfree(inlining->hook);
    arena_release(&inlining->arena);
}

// --- Calls ---------------------------------------------------------------------------------------

// A call as rewrite.c writes it: in braces, with parameters bl_0, bl_1, ... and a result bl_r.
struct call {
    const char *begin, *end; // of the braces
    const struct inline_hook *hook;
};

static const char open_brace[] = "\t{\n\t.param .b";
static const char call_word[] = "\tcall.uni ";

// Finds the next call of a hook that has a body at or after `at` in `text`. Returns false when
// there is none.
static bool next_call(const struct inlining *inlining, const char *text, const char *at,
                      const char *end, struct call *out)
{
    while ((at = memmem(at, (size_t)(end - at), open_brace, strlen(open_brace)))) {
        size_t rare = strlen(INLINING_RARE);
        bool is_rare = (size_t)(at - text) >= rare && memcmp(at - rare, INLINING_RARE, rare) == 0;
        out->begin = at;
        const char *call = memmem(at, (size_t)(end - at), call_word, strlen(call_word));
        const char *close = memmem(at, (size_t)(end - at), "\t}\n", 3);
        at += strlen(open_brace);
        if (!call || !close || call > close || is_rare)
            continue;
        const char *name = call + strlen(call_word);
        if (strncmp(name, "(bl_r), ", strlen("(bl_r), ")) == 0)
            name += strlen("(bl_r), ");
        char key[128];
        size_t length = strcspn(name, ",;");
        snprintf(key, sizeof key, "%.*s", (int)(length < sizeof key ? length : 0), name);
        struct inline_hook *map = inlining->hook;
        out->hook = map ? shgetp_null(map, key) : NULL; // which makes a map where none is
        out->end = close + 3;
        if (out->hook)
            return true;
    }
    return false;
}

// Writes a call's braces with its parameters as registers and the hook's body for the call.
static void write_inlined(FILE *out, const struct call *call)
{
    for (const char *line = call->begin; line < call->end; line = strchr(line, '\n') + 1) {
        unsigned bits, number;
        int at = 0;
        int length = (int)strcspn(line, "\n");
        if (sscanf(line, "\t.param .b%u bl_%u;%n", &bits, &number, &at) == 2 && at)
            fprintf(out, "\t.reg .b%u %%bl_i%u;\n", bits, number);
        else if (at = 0, sscanf(line, "\t.param .b%u bl_r;%n", &bits, &at) == 1 && at)
            fprintf(out, "\t.reg .b%u %%bl_ir;\n", bits);
        else if (at = 0, sscanf(line, "\tst.param.b%u [bl_%u], %n", &bits, &number, &at) == 2 && at)
            fprintf(out, "\tmov.b%u %%bl_i%u, %.*s\n", bits, number, length - at, line + at);
        else if (strncmp(line, call_word, strlen(call_word)) == 0)
            fprintf(out, "\t{\n%s$bl_end:\n\t}\n", call->hook->text);
        else if (strncmp(line, "\tld.param.b", strlen("\tld.param.b")) == 0)
            fprintf(out, "\tmov%.*s%%bl_ir;\n", (int)(strcspn(line, "[") - strlen("\tld.param")),
                    line + strlen("\tld.param"));
        else
            fprintf(out, "%.*s\n", length, line);
    }
}

void inlining_write(FILE *out, const struct inlining *inlining, const char *text, size_t length)
{
    const char *end = text + length, *at = text;
    struct {
        const struct inline_hook *key;
        uint32_t value;
    } *calls = NULL;
    struct call call;
    for (; next_call(inlining, text, at, end, &call); at = call.end) {
        uint32_t before = hmget(calls, call.hook);
        hmput(calls, call.hook, before + 1);
    }
    for (at = text; next_call(inlining, text, at, end, &call); at = call.end) {
        bool is_much = hmget(calls, call.hook) * call.hook->instructions > LARGEST_GROWTH;
        fwrite(at, 1, (size_t)((is_much ? call.end : call.begin) - at), out);
        if (!is_much)
            write_inlined(out, &call);
    }
    hmfree(calls);
    fwrite(at, 1, (size_t)(end - at), out);
}
