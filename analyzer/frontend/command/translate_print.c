// Shows a translation to people and to programs.
#include <string.h>

#include "frontend/command/translate.h"

static const char *action_name(enum step_action action)
{
    static const char *const names[] = {"kept",     "changed",   "dropped", "defined",
                                        "expanded", "unwrapped", "chosen",  "added"};
    return names[action];
}

static void print_header(const struct translation *translation, FILE *out)
{
    fprintf(out, "file:         %s\n", translation->file);
    fprintf(out, "folder:       %s\n", translation->directory);
    if (translation->assumed) {
        fputs("command:      assumed; no build says how this file is compiled\n", out);
    } else {
        fprintf(out, "compiler:     %s\n", compiler_kind_name(translation->kind));
    }
    if (translation->borrowed) {
        fprintf(out, "borrowed:     %s\n", translation->borrowed);
    }
    if (translation->headers == HEADERS_TOOLKIT) {
        fprintf(out, "headers:      CUDA %d.%d in %s (%s)\n", translation->toolkit.version_major,
                translation->toolkit.version_minor, translation->toolkit.path,
                translation->toolkit.origin ? translation->toolkit.origin : "given");
    } else {
        fputs("headers:      built in\n", out);
    }
    fputs("architecture: ", out);
    for (size_t i = 0; i < translation->named_count; i++) {
        struct gpu_arch arch = translation->named[i];
        fprintf(out, "%ssm_%d%.1s", i ? ", " : "", arch.number, arch.suffix ? &arch.suffix : "");
    }
    fprintf(out, "; analysed for sm_%d%.1s\n", translation->arch.number,
            translation->arch.suffix ? &translation->arch.suffix : "");
}

void translation_print(const struct translation *translation, FILE *out)
{
    struct arena scratch;
    arena_init(&scratch);
    print_header(translation, out);
    fputs("\noptions:\n", out);
    for (size_t i = 0; i < translation->step_count; i++) {
        const struct translation_step *step = &translation->step[i];
        const char *from = *step->original ? step->original : "-";
        fprintf(out, "%c %-9s %s", step->warning ? '!' : ' ', action_name(step->action), from);
        if (*step->result && strcmp(step->result, step->original) != 0) {
            fprintf(out, " => %s", step->result);
        }
        fprintf(out, "\n              %s\n", step->reason);
    }
    fputs("\nclang arguments:\n ", out);
    for (size_t i = 0; i < translation->count; i++) {
        fprintf(out, " %s", shlex_quote(&scratch, translation->argument[i]));
    }
    fprintf(out, " %s\n", shlex_quote(&scratch, translation->file));
    arena_release(&scratch);
}

static json_t *arch_json(struct gpu_arch arch)
{
    return json_sprintf("sm_%d%.1s", arch.number, arch.suffix ? &arch.suffix : "");
}

// Text of a command line may be no UTF-8; JSON's strings must be. Bytes that are not are shown
// as U+FFFD.
static json_t *text_json(const char *text)
{
    json_t *plain = json_string(text);
    if (plain) {
        return plain;
    }
    struct arena scratch;
    arena_init(&scratch);
    char *safe = arena_alloc(&scratch, strlen(text) * 3 + 1);
    char *out = safe;
    for (const char *in = text; *in; in++) {
        if ((unsigned char)*in < 0x80) {
            *out++ = *in;
        } else {
            memcpy(out, "\xEF\xBF\xBD", 3);
            out += 3;
        }
    }
    json_t *shown = json_string(safe);
    arena_release(&scratch);
    return shown;
}

json_t *translation_to_json(const struct translation *translation)
{
    json_t *arguments = json_array();
    for (size_t i = 0; i < translation->count; i++) {
        json_array_append_new(arguments, text_json(translation->argument[i]));
    }
    json_t *steps = json_array();
    for (size_t i = 0; i < translation->step_count; i++) {
        const struct translation_step *step = &translation->step[i];
        json_array_append_new(steps, json_pack("{s:s, s:o, s:o, s:o, s:b}", "action",
                                               action_name(step->action), "original",
                                               text_json(step->original), "result",
                                               text_json(step->result), "reason",
                                               text_json(step->reason), "warning", step->warning));
    }
    json_t *named = json_array();
    for (size_t i = 0; i < translation->named_count; i++) {
        json_array_append_new(named, arch_json(translation->named[i]));
    }
    json_t *root =
        json_pack("{s:o, s:o, s:s, s:b, s:s, s:o, s:o, s:s, s:o, s:o}", "file",
                  text_json(translation->file), "directory", text_json(translation->directory),
                  "compiler", compiler_kind_name(translation->kind), "assumed",
                  translation->assumed, "standard", translation->language_standard, "architecture",
                  arch_json(translation->arch), "architectures", named, "headers",
                  translation->headers == HEADERS_TOOLKIT ? "toolkit" : "builtin", "arguments",
                  arguments, "steps", steps);
    if (translation->borrowed) {
        json_object_set_new(root, "borrowed", text_json(translation->borrowed));
    }
    if (translation->headers == HEADERS_TOOLKIT) {
        json_object_set_new(root, "toolkit", text_json(translation->toolkit.path));
        json_object_set_new(root, "toolkit_version",
                            json_sprintf("%d.%d", translation->toolkit.version_major,
                                         translation->toolkit.version_minor));
    }
    return root;
}
