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

// The name of the function that a header declares: before its last parenthesis.
static char *header_name(struct arena *arena, const char *text, const struct item *header)
{
    size_t end = header->end;
    while (end > header->begin && text[end - 1] != '(')
        --end;
    while (end > header->begin && !item_is_name(text[end - 1]))
        --end;
    size_t begin = end;
    while (begin > header->begin && item_is_name(text[begin - 1]))
        --begin;
    return arena_strndup(arena, text + begin, end - begin);
}

// The number at the end of the parameter's name in `[NAME_param_N]`; -1 for another address.
static long parameter_number(const char *operand, const char *name)
{
    static const char between[] = "_param_";
    size_t length = strlen(name);
    if (strncmp(operand + 1, name, length) != 0 ||
        strncmp(operand + 1 + length, between, strlen(between)) != 0)
        return -1;
    return strtol(operand + 1 + length + strlen(between), NULL, 10);
}

// Writes an instruction of a hook's body: parameters and result are registers, and what returns goes
// to the end. Returns false for what has no place in the middle of other code.
static bool write_body_instruction(FILE *out, struct arena *arena, const char *name,
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
    if (strcmp(word, "ld") == 0 && instruction_has(&instruction, "param") &&
        instruction.operand_count == 2) {
        long number = parameter_number(instruction.operand[1], name);
        if (number >= 0) {
            fprintf(out, "mov.b%u %s, %%bl_i%ld;\n", bits, instruction.operand[0], number);
            return true;
        }
    }
    if (strcmp(word, "st") == 0 && instruction_has(&instruction, "param") &&
        instruction.operand_count == 2 && strncmp(instruction.operand[0], "[func_retval0", strlen("[func_retval0")) == 0) {
        fprintf(out, "mov.b%u %%bl_ir, %s;\n", bits, instruction.operand[1]);
        return true;
    }
    fwrite(text, 1, length, out);
    fputc('\n', out);
    return strcmp(word, "brx") != 0 && strcmp(word, "alloca") != 0;
}

// The body behind a header. Returns NULL for one that is too long, or has what cannot be moved.
static char *read_body(struct arena *arena, struct items *items, const char *name,
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
                      write_body_instruction(out, arena, name, text, length);
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
        char *name = header_name(&inlining->arena, library, &item);
        if (items_next(&items).kind != ITEM_OPEN)
            continue;
        struct inline_hook hook = {.key = name};
        hook.text = read_body(&inlining->arena, &items, name, &hook.instructions);
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

// Finds the next call of a hook that has a body at or after `at`. Returns false when there is none.
static bool next_call(const struct inlining *inlining, const char *at, const char *end,
                      struct call *out)
{
    while ((at = memmem(at, (size_t)(end - at), open_brace, strlen(open_brace)))) {
        out->begin = at;
        const char *call = memmem(at, (size_t)(end - at), call_word, strlen(call_word));
        const char *close = memmem(at, (size_t)(end - at), "\t}\n", 3);
        at += strlen(open_brace);
        if (!call || !close || call > close)
            continue;
        const char *name = call + strlen(call_word);
        if (strncmp(name, "(bl_r), ", strlen("(bl_r), ")) == 0)
            name += strlen("(bl_r), ");
        char key[128];
        size_t length = strcspn(name, ",;");
        snprintf(key, sizeof key, "%.*s", (int)(length < sizeof key ? length : 0), name);
        struct inline_hook *map = inlining->hook;
        out->hook = shgetp_null(map, key);
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
            fprintf(out, "\tmov%.*s%%bl_ir;\n",
                    (int)(strcspn(line, "[") - strlen("\tld.param")), line + strlen("\tld.param"));
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
    for (; next_call(inlining, at, end, &call); at = call.end)
        hmput(calls, call.hook, hmget(calls, call.hook) + 1);
    for (at = text; next_call(inlining, at, end, &call); at = call.end) {
        bool is_much = hmget(calls, call.hook) * call.hook->instructions > LARGEST_GROWTH;
        fwrite(at, 1, (size_t)((is_much ? call.end : call.begin) - at), out);
        if (!is_much)
            write_inlined(out, &call);
    }
    hmfree(calls);
    fwrite(at, 1, (size_t)(end - at), out);
}
