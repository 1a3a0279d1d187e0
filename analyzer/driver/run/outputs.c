#include "driver/run/outputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/vec.h"
#include "driver/driver.h"

// The format that `FORMAT:FILE` begins with; NULL and no error for a plain file name.
static const struct report_format *format_of(const char *word, struct error *error)
{
    char name[16];
    size_t length = strcspn(word, ":");
    if (!word[length] || length == 0 || length >= sizeof name)
        return NULL;
    memcpy(name, word, length);
    name[length] = '\0';
    struct nearest nearest;
    nearest_init(&nearest, name);
    for (const struct report_format *format = report_formats; format->name; ++format) {
        if (strcmp(format->name, name) == 0)
            return format;
        nearest_offer(&nearest, format->name);
    }
    if (nearest.best)
        error_set(error, ERROR_USAGE,
                  "there is no format '%s'; did you mean '%s'? (a file of that name is './%s')",
                  name, nearest.best, word);
    return NULL;
}

static bool put(struct output **out, const struct report_format *format, const char *path,
                struct error *error)
{
    for (ptrdiff_t i = 0; path && i < arrlen(*out); ++i) {
        if ((*out)[i].path && strcmp((*out)[i].path, path) == 0)
            return error_set(error, ERROR_USAGE, "'%s' is named for two outputs", path);
    }
    arrput(*out, ((struct output){.format = format, .path = path}));
    return true;
}

static bool has_format(const struct output *outputs, const struct report_format *format)
{
    for (ptrdiff_t i = 0; i < arrlen(outputs); ++i) {
        if (outputs[i].format == format)
            return true;
    }
    return false;
}

static bool choose(struct output **out, const struct options *options, struct error *error)
{
    const char *file = NULL;
    for (ptrdiff_t i = 0; i < arrlen(options->output); ++i) {
        const char *word = options->output[i];
        struct error wrong = {0};
        const struct report_format *format = format_of(word, &wrong);
        if (wrong.kind != ERROR_NONE) {
            *error = wrong;
            return false;
        }
        if (format) {
            const char *path = strchr(word, ':') + 1;
            if (!*path)
                return error_set(error, ERROR_USAGE, "--output=%s names no file", word);
            if (!put(out, format, path, error))
                return false;
        } else if (file) {
            return error_set(error, ERROR_USAGE,
                             "--output is given '%s' and '%s'; several files need formats, as "
                             "--output=sarif:FILE",
                             file, word);
        } else {
            file = word;
        }
    }
    const struct report_format *rest = NULL;
    for (ptrdiff_t i = 0; i < arrlen(options->format); ++i) {
        const struct report_format *format = report_format_find(options->format[i]);
        if (has_format(*out, format) || format == rest)
            continue;
        if (rest)
            return error_set(error, ERROR_USAGE,
                             "formats '%s' and '%s' cannot share one output; give one a file with "
                             "--output=%s:FILE",
                             rest->name, format->name, format->name);
        rest = format;
    }
    if (!rest && (file || arrlen(options->format) == 0))
        rest = &report_formats[0];
    return !rest || put(out, rest, file, error);
}

bool outputs_open(struct output **out, const struct options *options, struct error *error)
{
    bool good = choose(out, options, error);
    for (ptrdiff_t i = 0; good && i < arrlen(*out); ++i) {
        (*out)[i].file = driver_open((*out)[i].path, error);
        good = (*out)[i].file != NULL;
    }
    if (!good)
        outputs_abandon(*out);
    return good;
}

// What GitHub shows on the page of a step is appended to a file that it names.
static void print_step_summary(struct report *report)
{
    const char *path = getenv("GITHUB_STEP_SUMMARY");
    FILE *file = path && path[0] ? fopen(path, "a") : NULL;
    if (!file)
        return;
    report_print_step_summary(file, report);
    if (fclose(file) != 0)
        driver_warn("the summary of the step could not be written");
}

bool outputs_print(struct output *outputs, const struct options *options, struct report *report,
                   struct error *error)
{
    bool good = true;
    for (ptrdiff_t i = 0; i < arrlen(outputs); ++i) {
        struct output *output = &outputs[i];
        output->format->print(output->file, report, driver_wants_color(options, output->file));
        if (strcmp(output->format->name, "github") == 0)
            print_step_summary(report);
        good = driver_close(output->file, output->path, good ? error : NULL) && good;
        output->file = NULL;
    }
    return good;
}

void outputs_abandon(struct output *outputs)
{
    for (ptrdiff_t i = 0; i < arrlen(outputs); ++i) {
        if (outputs[i].file)
            driver_abandon(outputs[i].file, outputs[i].path);
        outputs[i].file = NULL;
    }
}

bool outputs_are_for_people(const struct output *outputs)
{
    for (ptrdiff_t i = 0; i < arrlen(outputs); ++i) {
        if (outputs[i].format->for_people)
            return true;
    }
    return false;
}

bool outputs_draw(const struct output *outputs)
{
    for (ptrdiff_t i = 0; i < arrlen(outputs); ++i) {
        if (outputs[i].format->draws)
            return true;
    }
    return false;
}
