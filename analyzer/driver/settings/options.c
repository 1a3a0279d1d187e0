#include "driver/settings/options.h"

#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/vec.h"
#include "report/report.h"

enum {
    CHECK = 1u << COMMAND_CHECK,
    BASELINE = 1u << COMMAND_BASELINE,
    INDEX = 1u << COMMAND_INDEX,
    ANALYSE = CHECK | BASELINE,
    JUDGE = ANALYSE | 1u << COMMAND_LSP,
    MERGE = 1u << COMMAND_MERGE,
    REPORTS = CHECK | MERGE,
    CONFIG = 1u << COMMAND_CONFIG,
    STORE = 1u << COMMAND_QUERY | 1u << COMMAND_REPORT | INDEX,
    UNITS = JUDGE | INDEX | 1u << COMMAND_TRANSLATE | 1u << COMMAND_DOCTOR | 1u << COMMAND_DUMP,
    TABLES = 1u << COMMAND_EXPLAIN | 1u << COMMAND_RULES,
};

static const char *const header_words[] = {"auto", "toolkit", "builtin", NULL};
static const char *const color_words[] = {"auto", "always", "never", NULL};
static const char *const level_words[] = {"note", "warning", "error", "never", NULL};

static const struct {
    const char *option;
    const char *const *words;
} choices[] = {
    {"headers", header_words},
    {"color", color_words},
    {"fail-on", level_words},
};

static const char *const *format_words(void)
{
    static const char *words[16];
    for (size_t i = 0; report_formats[i].name; ++i)
        words[i] = report_formats[i].name;
    return words;
}

const char *const *option_choices(const char *name)
{
    if (strcmp(name, "format") == 0)
        return format_words();
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; ++i) {
        if (strcmp(choices[i].option, name) == 0)
            return choices[i].words;
    }
    return NULL;
}

const char *const *rule_words(void)
{
    static const char **words; // stb_ds array, made once
    for (size_t i = 0; !words || arrlast(words); ++i)
        arrput(words, rule_registry[i] ? rule_registry[i]->id : NULL);
    return words;
}

const char *const *option_words(const char *name)
{
    bool takes_rule = strcmp(name, "rule") == 0 || strcmp(name, "disable") == 0;
    return takes_rule ? rule_words() : option_choices(name);
}

void options_init(struct options *options)
{
    *options = (struct options){
        .fail_on = RULE_WARNING,
        .timeout = 300,
        .memory_limit = UINT64_C(8) << 30,
    };
}

void options_release(struct options *options)
{
    arrfree(options->format);
    arrfree(options->output);
    arrfree(options->only);
    arrfree(options->disabled);
    arrfree(options->exclude);
    arrfree(options->path);
    arrfree(options->compiler_argument);
    arrfree(options->content);
}

struct option_reading {
    struct options *options;
    struct error *error;
    bool failed;
};

static void *target(struct option_reading *reading, const struct option_row *row)
{
    return (char *)reading->options + row->into;
}

static bool read_switch(struct option_reading *reading, const struct option_row *row, char *word)
{
    (void)word;
    *(bool *)target(reading, row) = true;
    return true;
}

static bool read_nothing(struct option_reading *reading, const struct option_row *row, char *word)
{
    (void)reading, (void)row, (void)word;
    return true;
}

static bool read_word(struct option_reading *reading, const struct option_row *row, char *word)
{
    *(const char **)target(reading, row) = word;
    return true;
}

// One of several: the option may be given again.
static bool read_entry(struct option_reading *reading, const struct option_row *row, char *word)
{
    const char ***list = target(reading, row);
    arrput(*list, word);
    return true;
}

// The index of `word` among the choices of the option.
static bool choose(struct option_reading *reading, const char *option, const char *word, int *out)
{
    const char *const *words = option_choices(option);
    char list[256] = "";
    struct nearest nearest;
    nearest_init(&nearest, word);
    for (int i = 0; words[i]; ++i) {
        if (strcmp(words[i], word) == 0) {
            *out = i;
            return true;
        }
        nearest_offer(&nearest, words[i]);
        strcat(list, i == 0 ? "" : words[i + 1] ? ", " : " or ");
        strcat(list, words[i]);
    }
    error_set(reading->error, ERROR_USAGE, "--%s cannot be '%s': it is %s%s%s%s", option, word,
              list, nearest.best ? "; did you mean '" : "", nearest.best ? nearest.best : "",
              nearest.best ? "'?" : "");
    return false;
}

static bool read_choice(struct option_reading *reading, const struct option_row *row, char *word)
{
    int choice;
    if (!choose(reading, row->name, word, &choice))
        return false;
    *(int *)target(reading, row) = choice; // of an enumeration
    return true;
}

static bool read_headers(struct option_reading *reading, const struct option_row *row, char *word)
{
    reading->options->headers_given = true;
    return read_choice(reading, row, word);
}

static bool read_level(struct option_reading *reading, const struct option_row *row, char *word)
{
    int choice;
    if (!choose(reading, row->name, word, &choice))
        return false;
    reading->options->fail_on_nothing = level_words[choice + 1] == NULL;
    if (!reading->options->fail_on_nothing)
        reading->options->fail_on = (enum rule_level)choice;
    return true;
}

static bool read_format(struct option_reading *reading, const struct option_row *row, char *word)
{
    int choice;
    if (!choose(reading, row->name, word, &choice))
        return false;
    arrput(reading->options->format, report_formats[choice].name);
    return true;
}

static bool read_number(struct option_reading *reading, const struct option_row *row, char *word)
{
    enum { HIGHEST = 1024 };
    char *end;
    errno = 0;
    long number = strtol(word, &end, 10);
    if (errno || end == word || *end || number < 1 || number > HIGHEST) {
        error_set(reading->error, ERROR_USAGE, "--%s takes a number from 1 to %d, not '%s'",
                  row->name, HIGHEST, word);
        return false;
    }
    *(unsigned *)target(reading, row) = (unsigned)number;
    return true;
}

static bool read_shard(struct option_reading *reading, const struct option_row *row, char *word)
{
    (void)row;
    int used = 0;
    unsigned index, count;
    bool good = strspn(word, "0123456789/") == strlen(word) &&
                sscanf(word, "%4u/%4u%n", &index, &count, &used) == 2 && !word[used];
    if (!good || index < 1 || index > count || count > SHARDS_MOST) {
        error_set(reading->error, ERROR_USAGE,
                  "--shard takes which of how many, such as 2/4, up to %d; not '%s'", SHARDS_MOST,
                  word);
        return false;
    }
    reading->options->shard_index = index;
    reading->options->shard_count = count;
    return true;
}

static bool read_timeout(struct option_reading *reading, const struct option_row *row, char *word)
{
    (void)row;
    char *end;
    double seconds = strtod(word, &end);
    if (end == word || *end || !isfinite(seconds) || seconds < 0 || seconds > 1e6) {
        error_set(reading->error, ERROR_USAGE, "--timeout takes a number of seconds, not '%s'",
                  word);
        return false;
    }
    reading->options->timeout = seconds;
    return true;
}

static bool read_size(struct option_reading *reading, const struct option_row *row, char *word)
{
    (void)row;
    static const char units[] = "KMGT";
    char *end;
    double size = strtod(word, &end);
    const char *unit = *end ? strchr(units, *end & ~0x20) : NULL;
    if (unit && end > word) {
        size *= (double)(UINT64_C(1) << (10 * (unit - units + 1)));
        ++end;
    }
    if (end == word || *end || !isfinite(size) || size < 0 || size > 1e15) {
        error_set(reading->error, ERROR_USAGE,
                  "--memory-limit takes a size such as 512M or 4G, not '%s'", word);
        return false;
    }
    reading->options->memory_limit = (uint64_t)size;
    return true;
}

// A comma list of rule ids; whether they exist is checked by the caller, who knows the rules.
static bool read_rules(struct option_reading *reading, const struct option_row *row, char *word)
{
    const char ***list = target(reading, row);
    char *state = NULL;
    for (char *id = strtok_r(word, ", ", &state); id; id = strtok_r(NULL, ", ", &state))
        arrput(*list, id);
    return true;
}

#define INTO(member) offsetof(struct options, member)

const struct option_row option_table[] = {
    {"accept-new", 0, NULL, "take new findings into the baseline too", BASELINE, read_switch,
     INTO(accept_new)},
    {"arch", 0, "ARCH", "analyse for ARCH (sm_90a), or for 'all' the command names", UNITS,
     read_word, INTO(arch)},
    {"barriers", 0, NULL, "list the barrier operations", 1u << COMMAND_DUMP, read_switch,
     INTO(barriers)},
    {"baseline", 0, "FILE", "leave out the findings that this baseline lists", ANALYSE, read_word,
     INTO(baseline)},
    {"build-path", 'p', "DIR", "the folder of compile_commands.json", UNITS, read_word,
     INTO(database)},
    {"cache-dir", 0, "DIR",
     "keep results of earlier runs in DIR; the default is $BARLINT_CACHE_DIR or ~/.cache/barlint",
     ANALYSE | STORE | MERGE, read_word, INTO(cache_dir)},
    {"color", 0, "WHEN", "auto, always or never", REPORTS, read_choice, INTO(color)},
    {"config", 0, "FILE", "read FILE instead of the nearest .barlint.yaml",
     JUDGE | CONFIG | 1u << COMMAND_DUMP, read_word, INTO(config)},
    {"cuda-path", 0, "DIR", "the CUDA toolkit to take headers from", UNITS, read_word,
     INTO(cuda_path)},
    {"diff", 0, NULL, "print what --fix would change, as a unified diff, and change nothing", CHECK,
     read_switch, INTO(diff)},
    {"diff-base", 0, "COMMIT",
     "show findings only of which some step stands on a line changed since COMMIT", CHECK,
     read_word, INTO(diff_base)},
    {"disable", 0, "RULE", "leave out a rule; may be given again", JUDGE, read_rules,
     INTO(disabled)},
    {"exclude", 0, "PATTERN",
     "leave out files found in folders and databases, with a pattern as in .gitignore; may be "
     "given again",
     JUDGE, read_entry, INTO(exclude)},
    {"fail-on", 0, "LEVEL",
     "exit with 1 for findings from this level on: error, warning (the default), note or never",
     REPORTS, read_level, INTO(fail_on)},
    {"fix", 0, NULL, "apply the safe fixes to the files, and report what is left", CHECK,
     read_switch, INTO(fix)},
    {"force-exclude", 0, NULL, "leave out excluded files even when they are named", CHECK,
     read_switch, INTO(force_exclude)},
    {"format", 0, "FORMAT",
     "text (the default), concise, json, jsonl, sarif, github, gitlab, junit, checkstyle, rdjson, "
     "rdjsonl or html; may be given again, with --output for the others",
     REPORTS | STORE, read_format, INTO(format)},
    {"headers", 0, "MODE",
     "CUDA headers: auto (the default), toolkit, or builtin, barlint's own declarations", UNITS,
     read_headers, INTO(headers)},
    {"ir", 0, NULL, "print the intermediate representation", 1u << COMMAND_DUMP, read_switch,
     INTO(ir)},
    {"jobs", 'j', "N", "analyse N units at once; the default is one for each processor",
     JUDGE | INDEX | MERGE, read_number, INTO(jobs)},
    {"json", 0, NULL, "print JSON",
     TABLES | REPORTS | CONFIG | STORE | 1u << COMMAND_TRANSLATE | 1u << COMMAND_DUMP, read_switch,
     INTO(json)},
    {"memory-limit", 0, "SIZE", "give up on a unit that needs more (default 8G); 0 for no limit",
     JUDGE, read_size, INTO(memory_limit)},
    {"no-cache", 0, NULL, "analyse every unit anew, and keep no results", ANALYSE | MERGE,
     read_switch, INTO(no_cache)},
    {"operations", 0, NULL, "list what the sources have, without running kernels",
     1u << COMMAND_DUMP, read_switch, INTO(operations)},
    {"output", 'o', "[FORMAT:]FILE",
     "write the findings to FILE, in FORMAT where one is named; may be given again", REPORTS,
     read_entry, INTO(output)},
    {"pedantic", 0, NULL, "show weakly supported findings too", JUDGE, read_switch, INTO(pedantic)},
    {"quiet", 'q', NULL, "print findings and nothing else", ANALYSE | INDEX | MERGE, read_switch,
     INTO(quiet)},
    {"rule", 0, "RULE", "run this rule only; may be given again", JUDGE, read_rules, INTO(only)},
    {"schedule", 0, "KERNEL", "draw what the roles of a kernel do, side by side",
     1u << COMMAND_DUMP, read_word, INTO(schedule)},
    {"shape", 0, "N", "of several launch shapes, draw the schedule of the N-th", 1u << COMMAND_DUMP,
     read_number, INTO(shape)},
    {"shard", 0, "I/N",
     "analyse the I-th of N shares of the files; 'barlint merge' joins the shards' JSON", CHECK,
     read_shard, INTO(shard_index)},
    {"show-suppressed", 0, NULL,
     "tell of suppressed findings too where the format has a place for them (json, sarif)", CHECK,
     read_switch, INTO(show_suppressed)},
    {"staged", 0, NULL,
     "check what the next commit would hold: the index's content, and the lines it changes", CHECK,
     read_switch, INTO(staged)},
    {"stats", 0, NULL, "say what was analysed and what could not be followed", REPORTS, read_switch,
     INTO(stats)},
    {"stdin-filename", 0, "FILE",
     "with the path '-': what standard input holds is FILE's content (default stdin.cu)", CHECK,
     read_word, INTO(stdin_file)},
    {"stdio", 0, NULL, "what editors say that know other ways too; there is no other here",
     1u << COMMAND_LSP, read_nothing, 0},
    {"strict-baseline", 0, NULL, "exit with 2 when the baseline lists what is not found any more",
     CHECK, read_switch, INTO(strict_baseline)},
    {"svg", 0, "FILE", "draw the schedule into FILE too, as SVG", 1u << COMMAND_DUMP, read_word,
     INTO(svg)},
    {"timeout", 0, "SECONDS", "give up on a unit that takes longer (default 300); 0 for no limit",
     JUDGE, read_timeout, INTO(timeout)},
    {"times", 0, NULL, "print what the analysis of each kernel takes, as JSON", 1u << COMMAND_DUMP,
     read_switch, INTO(times)},
    {"unsafe-fixes", 0, NULL, "with --fix or --diff: the fixes that want a second look too", CHECK,
     read_switch, INTO(unsafe_fixes)},
    {NULL, 0, NULL, NULL, 0, NULL, 0},
};

// What argp calls the option.
static int key_of(const struct option_row *row)
{
    enum { BEHIND_LETTERS = 256 };
    return row->letter ? row->letter : BEHIND_LETTERS + (int)(row - option_table);
}

static error_t parse_key(int key, char *word, struct argp_state *state)
{
    struct option_reading *reading = state->input;
    if (key == ARGP_KEY_ARG) {
        arrput(reading->options->path, word);
        return 0;
    }
    for (const struct option_row *row = option_table; row->name; ++row) {
        if (key_of(row) == key) {
            reading->failed = reading->failed || !row->read(reading, row, word);
            return 0;
        }
    }
    return ARGP_ERR_UNKNOWN;
}

// getopt only says that a long option is unknown; the nearest one is worth naming.
static bool check_names(enum command_id command, int count, char **words, struct error *error)
{
    for (int i = 0; i < count; ++i) {
        if (strncmp(words[i], "--", 2) != 0 || !words[i][2])
            continue;
        char name[64];
        size_t length = strcspn(words[i] + 2, "=");
        snprintf(name, sizeof name, "%.*s", (int)length, words[i] + 2);
        struct nearest nearest;
        nearest_init(&nearest, name);
        bool known = strcmp(name, "help") == 0 || strcmp(name, "usage") == 0;
        for (const struct option_row *row = option_table; row->name && !known; ++row) {
            if (!(row->commands & 1u << command))
                continue;
            known = strncmp(row->name, name, length) == 0;
            nearest_offer(&nearest, row->name);
        }
        if (!known && nearest.best)
            return error_set(error, ERROR_USAGE, "there is no option '--%s'; did you mean '--%s'?",
                             name, nearest.best);
        if (!known)
            return error_set(error, ERROR_USAGE,
                             "there is no option '--%s'; see 'barlint %s --help'", name,
                             command_table[command].name);
    }
    return true;
}

bool options_parse(struct options *options, enum command_id command, int count, char **words,
                   struct error *error)
{
    struct argp_option *rows = NULL; // stb_ds array
    for (const struct option_row *row = option_table; row->name; ++row) {
        if (!(row->commands & 1u << command))
            continue;
        struct argp_option option = {
            .name = row->name, .key = key_of(row), .arg = row->argument, .doc = row->help};
        arrput(rows, option);
    }
    arrput(rows, (struct argp_option){0});
    options->word = words;
    options->word_count = count;
    // What stands behind `--` is for the compiler.
    int own = 0;
    while (own < count && strcmp(words[own], "--") != 0)
        ++own;
    options->has_compiler_arguments = own < count;
    for (int i = own + 1; i < count; ++i)
        arrput(options->compiler_argument, words[i]);

    char name[64];
    snprintf(name, sizeof name, "barlint %s", command_table[command].name);
    char **argv = NULL; // stb_ds array
    arrput(argv, name);
    for (int i = 0; i < own; ++i)
        arrput(argv, words[i]);
    arrput(argv, NULL);
    struct option_reading reading = {options, error, false};
    struct argp argp = {
        rows, parse_key, command_table[command].arguments, command_table[command].summary, NULL,
        NULL, NULL};
    argp_err_exit_status = 2;
    bool good = check_names(command, own, words, error) &&
                argp_parse(&argp, own + 1, argv, 0, NULL, &reading) == 0 && !reading.failed;
    arrfree(argv);
    arrfree(rows);
    return good;
}
